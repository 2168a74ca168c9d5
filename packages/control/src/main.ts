// The control program as it is installed: `control.mjs [--server=https://…] [-- cloudoc-edit://…]`.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { controlVersion } from '@cloudoc/domain'
import { addressOf, serversOf } from './arguments.ts'
import { startControl } from './control.ts'
import { launch } from './launch.ts'
import { documentsFolder } from './local-name.ts'
import { machineAddress } from './machine-address.ts'

const args = process.argv.slice(2)
const machine = machineAddress()
const control = await startControl(
  {
    version: controlVersion,
    folder: join(homedir(), '.cloudoc', 'control'),
    documents: documentsFolder(),
    servers: serversOf(args),
    launch,
    machine: () => machine,
  },
  addressOf(args),
)
const end = (): void => void control?.close()
process.once('SIGTERM', end)
process.once('SIGINT', end)
