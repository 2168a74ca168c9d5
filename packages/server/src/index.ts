// The server's exports for tests, demo data and tools.
export { type App, type AppOptions, createApp } from './app.ts'
export { type EmbeddedPostgres, startEmbeddedPostgres } from './core/db/embedded-postgres.ts'
export { migrate } from './core/db/migrate.ts'
export type { DatabaseTarget } from './core/db/target.ts'
export { createLog } from './core/log.ts'
export { setUp } from './first-start.ts'
