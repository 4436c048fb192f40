# The site in a small image, run by a user without rights:
#
#     docker build -t wurfel .
#     docker run -p 3140:3140 -v wurfel-games:/data wurfel
#
# Behind a proxy, with a name: docker run … wurfel serve --host 0.0.0.0 --data /data/games \
#     --name dice.example --proxy 172.16.0.0/12
FROM rust:1.95-slim-bookworm AS build
WORKDIR /wurfel
COPY . .
RUN cargo build --profile dist --locked --package wurfel-cli

FROM debian:bookworm-slim
COPY --from=build /wurfel/target/dist/wurfel /usr/local/bin/wurfel
COPY LICENSE-APACHE LICENSE-MIT /usr/share/doc/wurfel/
RUN useradd --system --uid 10001 --no-create-home wurfel \
    && install -d -o wurfel -g wurfel /data
USER 10001
ENV WURFEL_TABLES=/data/tables
VOLUME /data
EXPOSE 3140
ENTRYPOINT ["wurfel"]
CMD ["serve", "--host", "0.0.0.0", "--port", "3140", "--data", "/data/games"]
