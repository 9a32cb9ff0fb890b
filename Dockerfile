# The server and its command line client, on Debian, without compilers.
#
#   docker build -t reductor .
#   docker run --rm -p 50051:50051 reductor
#
# DEBIAN is trixie (13) or bookworm (12). REVISION is what --version and the
# image's labels say.
ARG DEBIAN=trixie

FROM docker.io/library/debian:${DEBIAN}-slim AS build
WORKDIR /src
COPY deploy/install deploy/
RUN deploy/install build image
COPY . .
ARG REVISION=unknown
RUN cmake --preset release -DREDUCTOR_TESTS=OFF -DREDUCTOR_REVISION="${REVISION}" && \
    cmake --build --preset release --target reductord reductor && \
    install -s -D -t /out/bin build/release/bin/reductord build/release/bin/reductor
# Debian's own tool names the packages that hold the libraries; it wants to be
# called where a package is being made.
RUN mkdir debian && touch debian/control && \
    dpkg-shlibdeps -O /out/bin/* | \
    sed 's/^shlibs:Depends=//; s/([^)]*)//g; s/,/ /g' >/out/packages

FROM docker.io/library/debian:${DEBIAN}-slim AS runtime
COPY --from=build /out/packages /tmp/packages
RUN apt-get update && \
    DEBIAN_FRONTEND=noninteractive \
    xargs apt-get install -y --no-install-recommends </tmp/packages && \
    rm -rf /tmp/packages /var/cache/apt/* /var/lib/apt/lists/* /var/log/* \
           /usr/share/doc /usr/share/info /usr/share/locale /usr/share/man
COPY --from=build /out/bin/ /usr/local/bin/

# One layer: what was removed above takes no room.
FROM scratch
COPY --from=runtime / /
ARG REVISION=unknown
LABEL org.opencontainers.image.title="reductor" \
      org.opencontainers.image.description="Reduces tensors by the rules of ONNX and OpenVINO, over gRPC" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.revision="${REVISION}"
# Who listens elsewhere says so to the health check, too, by REDUCTOR_SERVER.
ENV PATH=/usr/local/bin:/usr/bin:/bin \
    REDUCTOR_LISTEN=0.0.0.0:50051
EXPOSE 50051
USER 65532:65532
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s CMD ["reductor", "health"]
ENTRYPOINT ["reductord"]
