import { prepareWeb } from '../scripts/setup.mjs'

/** Builds the client once, before files run side by side: whoever is the first to need it would take it from the others. */
export default async function setup(): Promise<void> {
  const code = await prepareWeb()
  if (code) throw new Error('the web client could not be built')
}
