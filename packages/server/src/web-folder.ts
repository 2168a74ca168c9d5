// The folder of the built web client: beside the bundled server in a release, in packages/web in a checkout.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const released = fileURLToPath(new URL('./web', import.meta.url))
const checkedOut = fileURLToPath(new URL('../../web/dist', import.meta.url))

export const webFolder = existsSync(released) ? released : checkedOut
