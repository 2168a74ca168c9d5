import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { findChromium } from './scripts/chromium.mjs'
import { findHaproxy, findNats, findNginx, findPooler } from './scripts/programs.mjs'
import { LongestFirst, WORKERS } from './scripts/sequencer.mjs'

// Tests ask for what they are provided with: inject('full') is true under `npm run test:full`, inject('chromium') is the
// browser's path, inject('nats'), inject('pooler'), inject('nginx') and inject('haproxy') those of
// nats-server, pgbouncer, nginx and HAProxy, inject('cluster') in server tests is the database cluster to make databases in.
// Tests of uploads and downloads run on the local store and, as project s3, on an S3 store again.
// Which tier of CONTRIBUTING.md a project belongs to says scripts/tests.mjs.
export default defineConfig(({ mode }) => {
  const full = mode === 'full'
  const provide = {
    full,
    chromium: findChromium() ?? '',
    nats: findNats() ?? '',
    pooler: findPooler() ?? '',
    nginx: findNginx() ?? '',
    haproxy: findHaproxy() ?? '',
  }
  // Servers are started by the hundred: what Node has made of their sources is made once.
  const env = { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') }
  // What hangs ends; how long a test takes is no test's business, and machines are slow at times.
  const testTimeout = full ? 1_800_000 : 300_000
  const expect = { poll: { timeout: 90_000 } }
  // All projects share the workers.
  const maxWorkers = WORKERS
  const project = (name: string, include: string[], more = {}) => ({
    test: { name, include, provide, env, maxWorkers, testTimeout, hookTimeout: 300_000, expect, ...more },
  })
  // What a server is tried with: files of one process load it once.
  const onServer = {
    globalSetup: ['packages/server/test/global-setup.ts'],
    setupFiles: ['packages/server/test/setup.ts'],
    isolate: false,
  }
  // What tries the machine: kills, failing disks and statements, processes of their own. It does not grow with features.
  const machine = [
    'packages/server/test/crash/*.test.ts',
    'packages/server/test/{dav-kills,disk-full,durability,lifecycle,maintenance,many-processes,migrations,outages,rolling-restart,talk-processes}.test.ts',
    'packages/server/test/{nth-failure,power-loss}.test.ts',
    'packages/server/src/core/db/{embedded-postgres,fitness}.test.ts',
    'packages/server/src/core/confined/confined.test.ts',
  ]
  return {
    test: {
      maxWorkers,
      sequence: { sequencer: LongestFirst },
      // What the sources become is kept from run to run: a single file of the server's tests starts in half the work.
      fsModuleCache: true,
      projects: [
        project('unit', ['packages/{domain,contract,office,shell}/src/**/*.test.ts', 'tools/*.test.ts']),
        project('server', ['packages/{server,devkit,control}/**/*.test.ts'], {
          ...onServer,
          exclude: ['**/node_modules/**', ...machine],
        }),
        project(
          's3',
          [
            'packages/server/src/drive/transfer/{upload,download,instant}.test.ts',
            'packages/server/src/core/blobs/parts.test.ts',
            // What hardly differs by the store, and takes long.
            ...(full
              ? [
                  'packages/server/src/drive/transfer/{damaged,parts,quota,tus}.test.ts',
                  'packages/server/src/drive/content/collect.test.ts',
                  'packages/server/test/nth-failure.test.ts',
                ]
              : []),
          ],
          { ...onServer, provide: { ...provide, store: 's3' } },
        ),
        project('machine', machine, onServer),
        project('web', ['packages/web/src/**/*.test.{ts,tsx}'], { setupFiles: ['packages/web/test/setup.ts'] }),
        project('e2e', ['e2e/**/*.test.ts', ...(full ? ['e2e/**/*.full.ts'] : [])], {
          globalSetup: ['e2e/global-setup.ts'],
        }),
      ],
    },
  }
})
