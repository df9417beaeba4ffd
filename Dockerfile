# One image for every process: `docker run … bun sql/migrate.ts` (release), `bun api/server.ts` (web), `bun worker/main.ts` (worker).
FROM oven/bun:1.4.5-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package.json bun.lock bunfig.toml ./
COPY patches patches
RUN bun install --frozen-lockfile --production
COPY api api
COPY core core
COPY sql sql
COPY worker worker
USER bun
EXPOSE 8080
CMD ["bun", "api/server.ts"]
