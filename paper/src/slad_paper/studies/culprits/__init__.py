"""Do explanations find the column that was tampered with?"""
