"""One module per folder of cypher/, one function per file, of the same name.

The crossing from snake_case to camelCase is written out here, and nowhere else.
"""
