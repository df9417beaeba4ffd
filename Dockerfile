# One image for every process: `bun sql/migrate.ts` (release), `bun api/server.ts` (web), `bun worker/main.ts` (worker).
FROM oven/bun:1.4.5-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package.json bun.lock bunfig.toml tsconfig.json LICENSE ./
COPY patches patches
# The only optional dependency is the embedded PostgreSQL of `bun start`.
RUN bun install --frozen-lockfile --production --omit=optional
COPY api api
COPY bin bin
COPY cli cli
COPY core core
COPY docs docs
COPY sdk sdk
COPY sql sql
COPY worker worker
USER bun
EXPOSE 8080
# For `web`, the default command. `release` and `worker` do not listen on a port: disable the health check for them.
# It asks where the API listens, and not through a proxy.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["bun", "-e", "const { HOST, PORT } = process.env; const host = !HOST || HOST === '0.0.0.0' ? '127.0.0.1' : HOST.includes(':') && HOST[0] !== '[' ? `[${HOST}]` : HOST; process.env.NO_PROXY = '*'; const { ok } = await fetch(`http://${host}:${PORT || 8080}/livez`); process.exit(ok ? 0 : 1)"]
CMD ["bun", "api/server.ts"]
