def parse_header(line):
    """Takes a header apart."""
    name, value = line.split(":", 1)
    return name.strip(), value.strip()
