/*
 * Name search over a million names, for people who see everything, a hundredth and nothing, against reading one item,
 * the cheapest call. The installation is made once and reused.
 */
import { openInstallation, organisation, password } from './installation.ts'
import { compare, type Measured } from './measure.ts'
import { hitsInField, searches } from './plans.ts'
import { startServer } from './server.ts'

const items = 1_000_000
const times = 20

/** Measures searches in an installation of its own, in a folder that is reused. */
export async function nameSearch(folder: string, runs: number): Promise<Measured[]> {
  const made = await openInstallation(folder, { items, ...organisation })
  const server = await startServer(folder)
  const measured: Measured[] = []
  try {
    for (const account of [made.everything, made.hundredth, made.nothing]) {
      const form = new URLSearchParams({ userName: account, password, clientType: '6' })
      const signedIn = await fetch(`${server.origin}/services/json/login/login3`, { method: 'POST', body: form })
      const { data } = (await signedIn.json()) as { data: { accessToken: string } }
      const headers = { authorization: `Bearer ${data.accessToken}`, 'content-type': 'application/json' }
      const perSecond = async (path: string, more: RequestInit): Promise<number> => {
        const started = performance.now()
        for (let n = 0; n < times; n += 1) await (await fetch(`${server.origin}${path}`, { headers, ...more })).text()
        return (times / (performance.now() - started)) * 1000
      }
      for (const [kind, keyword] of Object.entries(searches)) {
        const body = JSON.stringify({ keyword, rows: hitsInField })
        measured.push(
          await compare(
            { what: `search among ${items}, ${account}: ${kind}`, bar: 0, unit: 'calls/s' },
            runs,
            () => perSecond(`/services2/file/query/getFolderInfo/-2`, {}),
            () => perSecond('/services2/search/searchDoc', { method: 'POST', body }),
          ),
        )
      }
    }
  } finally {
    await server.stop()
  }
  return measured
}
