"""Commonplace under fire: killed, raced and refused by the disk. `make stress` runs all of it at full length."""
