# One image for every process: `bun sql/migrate.ts` (release), `bun api/server.ts` (web), `bun worker/main.ts` (worker).
FROM oven/bun:1.4.5-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package.json bun.lock bunfig.toml ./
COPY patches patches
# The only optional dependency is the embedded PostgreSQL of `bun start`.
RUN bun install --frozen-lockfile --production --omit=optional
COPY api api
COPY bin bin
COPY cli cli
COPY core core
COPY docs docs
COPY sql sql
COPY worker worker
USER bun
EXPOSE 8080
# For `web`, the default command. `release` and `worker` do not listen on a port: disable the health check for them.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["bun", "-e", "const { ok } = await fetch(`http://127.0.0.1:${process.env.PORT || 8080}/livez`); process.exit(ok ? 0 : 1)"]
CMD ["bun", "api/server.ts"]
