// Runs the embedded database on a given folder in its own process: prints its address, then runs until SIGTERM.
import { startEmbeddedPostgres } from '../src/core/db/embedded-postgres.ts'

const postgres = await startEmbeddedPostgres({
  dataDir: process.argv[2] ?? '',
  durable: false,
  log: () => {},
  onExit: (reason) => {
    process.stderr.write(`${reason}\n`)
    process.exitCode = 1
  },
})
process.once('SIGTERM', () => {
  void postgres.stop()
})
process.stdout.write(`${JSON.stringify(postgres.target)}\n`)
