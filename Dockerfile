# The executable, with what it needs to fetch and run compilers: node and npm, and git for `--new-since` and `--target changed`.
#
#     docker build -t bellwether .
#     docker run --rm -v "$PWD:/project" bellwether fuzz --seconds 600

FROM rust:1.93-bookworm AS build
WORKDIR /bellwether
COPY . .
RUN cargo build --release --locked --package bellwether-server --bin bellwether

FROM node:22-bookworm-slim
# Versions are those of the image's release of Debian, which only mends them.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates git \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /bellwether/target/release/bellwether /usr/local/bin/bellwether
# A project that is mounted belongs to somebody else; git reads it all the same.
RUN git config --system --add safe.directory /project
# The user `node` of the image.
USER 1000:1000
WORKDIR /project
ENTRYPOINT ["bellwether"]
CMD ["fuzz"]
