"""The tests: behaviour, told in sentences, driven through Memory or a surface."""
