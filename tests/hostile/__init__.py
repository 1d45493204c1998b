"""Files, names and links that mean harm, or might as well."""
