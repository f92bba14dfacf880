"use strict";
(() => {
  const root = document.documentElement;
  const one = (selector) => document.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // -- light and dark ------------------------------------------------------------------------

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = one("#theme");
  const isDark = () => (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const name = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  const stored = (theme) => {
    // A browser may keep nothing for pages that are opened from a folder.
    try {
      if (theme) localStorage.setItem("slad-theme", theme);
      return localStorage.getItem("slad-theme");
    } catch { return null; }
  };
  const kept = stored();
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  button.setAttribute("aria-label", "Switch between light and dark");
  button.hidden = false;
  name();
  dark.addEventListener("change", name);
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    stored(root.dataset.theme);
    name();
  });

  // -- filters -------------------------------------------------------------------------------

  const form = one("#filters");
  const rows = all("#list > li");
  const FIRST = 25;
  let whole = rows.length <= FIRST + 5;
  const texts = new Map();
  const text = (row, column) => {
    const key = `${row.id} ${column}`;
    if (!texts.has(key)) {
      const part = column ? one(`#${row.id} tr[data-c="${column}"] td`) : row;
      texts.set(key, part ? part.textContent.toLowerCase() : "");
    }
    return texts.get(key);
  };
  const fits = (row, wanted) =>
    (!wanted.decision || row.dataset.decision === wanted.decision) &&
    (!wanted.reason || (row.dataset.blamed || "").split(" ").includes(wanted.reason)) &&
    (!wanted.find || text(row, wanted.within).includes(wanted.find));
  const filter = () => {
    const value = (id) => one(`#${id}`).value;
    const wanted = {
      find: value("find").trim().toLowerCase(),
      within: value("within"),
      reason: value("reason"),
      decision: value("decision"),
    };
    // A search looks through all rows; the plain list begins short.
    const short = !whole && !Object.values(wanted).some(Boolean);
    const found = rows.filter((row) => fits(row, wanted));
    const shown = new Set(short ? found.slice(0, FIRST) : found);
    for (const row of rows) row.hidden = !shown.has(row);
    const more = found.length - shown.size;
    one("#more").hidden = more === 0;
    one("#more").textContent = `Show ${more} more rows`;
    one("#more").dataset.left = `${more} more rows`;
    one("#nothing").hidden = found.length > 0;
    one("#shown").textContent =
      found.length === rows.length ? `${rows.length} rows` : `${found.length} of ${rows.length} rows`;
  };
  if (form) {
    form.hidden = false;
    filter();
    one("#more").addEventListener("click", () => {
      const next = rows.find((row) => row.hidden);
      whole = true;
      filter();
      next.querySelector("summary").focus();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", filter);
    form.addEventListener("reset", () => setTimeout(filter));
    for (const link of all(".blame a")) {
      link.addEventListener("click", () => {
        form.reset();
        one("#reason").value = link.dataset.column;
        setTimeout(filter);
      });
    }
  }

  // -- rows named in the address, copies, paper ------------------------------------------------

  const open = () => {
    const row = document.getElementById(location.hash.slice(1));
    const details = row && row.matches("#list > li") && row.firstElementChild;
    if (details) { row.hidden = false; details.open = true; row.scrollIntoView(); }
  };
  addEventListener("hashchange", open);
  open();

  for (const copy of all(".copy")) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      const code = copy.parentElement.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        copy.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
        copy.textContent = "Selected";
      }
      setTimeout(() => { copy.textContent = "Copy"; }, 1500);
    });
  }

  // On paper the first rows show their reasons; what the reader opened stays as it is.
  let changed = [];
  const turn = (details, state) => {
    if (details && details.open !== state) {
      details.open = state;
      changed.push([details, !state]);
    }
  };
  addEventListener("beforeprint", () => {
    for (const row of rows.filter((each) => !each.hidden).slice(0, 5)) {
      const details = row.firstElementChild;
      if (!details.open) turn(details.querySelector(".all"), false);
      turn(details, true);
    }
  });
  addEventListener("afterprint", () => {
    for (const [details, state] of changed) details.open = state;
    changed = [];
  });
})();
