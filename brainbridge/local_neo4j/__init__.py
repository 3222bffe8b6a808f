"""A real Neo4j without Docker, Maven or a Java on the machine: installed from a lock, run on loopback.

    endpoint = LocalServer(load_settings()).start()

`provision` puts the locked jars into the cache, `java` finds a Java, `conf` writes what they are told, `process` starts
and recognises the server, `credentials` gives it a password, `server` is the order in which all that happens.
"""
