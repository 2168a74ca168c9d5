// The time for the first page of a folder of 10,000 items, compared with a call that reads one item.
import { randomBytes } from 'node:crypto'
import { compare, type Measured } from './measure.ts'
import type { BenchServer } from './server.ts'

const items = 10_000
const pages = 200

export async function firstPage(server: BenchServer, runs: number): Promise<Measured> {
  const folderId = await server.makeFolder(`many ${randomBytes(4).toString('hex')}`)
  for (let from = 0; from < items; from += 1000) {
    const pathList = Array.from({ length: 1000 }, (_, n) => `目录 ${from + n}`)
    await server.post('/services2/file/operate/createFolderByPathList', { folderId, pathList })
  }
  const perSecond = async (path: string): Promise<number> => {
    const started = performance.now()
    for (let n = 0; n < pages; n += 1) await server.call(path)
    return (pages / (performance.now() - started)) * 1000
  }
  return compare(
    { what: `first page of ${items} items, against one item`, bar: 0, unit: 'calls/s' },
    runs,
    () => perSecond(`/services2/file/query/getFolderInfo/${folderId}`),
    () => perSecond(`/services2/file/query/getSubItemList3/${folderId}?rows=60`),
  )
}
