import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { quickFolder } from '../scripts/quick-folder.mjs'
import { prepareWeb } from '../scripts/setup.mjs'
import { password, signIn, spawnServer, startServer } from './journeys/company.ts'
import { ready } from './running-server.ts'

type End = () => Promise<unknown>

/**
 * Prepares what test files share before they run in parallel: the web client, because a build by the first file that
 * needs it would disturb the others; the data of an installation, which servers copy; and on request one shared server
 * per worker.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const code = await prepareWeb()
  if (code) throw new Error('the web client could not be built')
  const folder = await mkdtemp(join(quickFolder, 'cloudoc-installation-'))
  const ends: End[] = [() => rm(folder, { recursive: true, force: true })]
  const end = async (): Promise<void> => {
    for (const one of ends.toReversed()) await one()
  }
  try {
    const running = await ready(spawnServer(folder), () => undefined)
    // The setup wizard is finished for the journeys; first-setup.test.ts covers the wizard.
    await (await signIn(running.url, 'admin', password)).call('setSetup', { finish: true })
    await running.stop()
    project.provide('installation', folder)
    project.provide('servers', await serveWorkers(folder, ends))
    return end
  } catch (error) {
    await end()
    throw error
  }
}

/** Serves the workers: returns to each the address of its server, and how many requests it has made before. */
async function serveWorkers(like: string, ends: End[]): Promise<string> {
  const servers = new Map<string, { url: Promise<string>; asked: number }>()
  const listener = createServer((request, response) => {
    const worker = request.url ?? ''
    const server = servers.get(worker) ?? { url: startServer([], (stop) => void ends.push(stop), like), asked: 0 }
    servers.set(worker, server)
    const before = server.asked
    server.asked += 1
    server.url.then(
      (url) => response.end(JSON.stringify({ url, before })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  ends.push(async () => void listener.close())
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
}
