import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { prepareWeb } from '../scripts/setup.mjs'
import { spawnServer } from './journeys/company.ts'
import { ready } from './running.ts'

/**
 * What is made once before files run side by side: the client, which the first to need it would take from the others, and
 * an installation, of which each of them begins with a copy.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const code = await prepareWeb()
  if (code) throw new Error('the web client could not be built')
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-installation-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await (await ready(spawnServer(folder), () => undefined)).stop()
  } catch (error) {
    await remove()
    throw error
  }
  project.provide('installation', folder)
  return remove
}
