# The daemon without a Neo4j of its own: it finds one at BRAINBRIDGE_URI. See docker-compose.yml.
FROM python:3.13-slim

WORKDIR /opt/brainbridge
COPY requirements.lock pyproject.toml README.md LICENSE ./
COPY brainbridge ./brainbridge
COPY cypher ./cypher
RUN pip install --no-cache-dir --require-hashes -r requirements.lock \
    && pip install --no-cache-dir --no-deps --no-build-isolation . \
    && useradd --system --create-home --home-dir /var/lib/brainbridge brainbridge
USER brainbridge
# `exec`, so that the daemon is process 1 of the container and gets its signals.
CMD ["sh", "-c", "brainbridge init && exec brainbridge daemon run"]
