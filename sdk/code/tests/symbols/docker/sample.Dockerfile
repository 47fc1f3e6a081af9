# Builds the shop.
ARG VERSION=1.0
FROM --platform=linux/amd64 rust:1 AS build
ENV CARGO_HOME=/cargo
RUN cargo build

FROM debian
COPY --from=build /app /app
