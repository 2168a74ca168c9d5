// The main process as Electron starts it.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { documentsFolder, launch, machineAddress, startControl } from '@cloudoc/control'
import { controlVersion } from '@cloudoc/domain'
import * as electron from 'electron'
import { readSettings } from './settings.ts'
import { startShell } from './shell.ts'

const folder = electron.app.isPackaged ? join(process.resourcesPath, 'client') : electron.app.getAppPath()
const machine = machineAddress()
const { server } = await readSettings(folder)
// A running control program, of an earlier version or started alone, serves as well.
const control = startControl({
  version: controlVersion,
  folder: join(homedir(), '.cloudoc', 'control'),
  documents: documentsFolder(),
  servers: server === '' ? [] : [server],
  launch,
  machine: () => machine,
}).catch(() => undefined)

await startShell({
  electron,
  folder,
  preload: join(import.meta.dirname, 'preload.cjs'),
  icon: join(folder, 'icon.png'),
  argv: process.argv,
  platform: process.platform,
  askMachine: async () => {
    await control
    return machine
  },
  // The network of the pages: with the proxy and the trusted certificates of the system.
  askServer: async (address): Promise<unknown> => (await electron.net.fetch(address, { redirect: 'error' })).json(),
  updates: join(homedir(), '.cloudoc', 'updates.json'),
  openLocally: (address) => void control.then((running) => running?.open(address)),
})
