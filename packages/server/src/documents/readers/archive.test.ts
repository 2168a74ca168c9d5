// Archives that do not declare the encoding of their names, and checksums of their entries.
import { crc32 } from 'node:zlib'
import type { Listing } from '@cloudoc/contract'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readArchive, readEntry, unpack } from './archive.ts'

const signs = { gbk: Buffer.from([0xba, 0xcf, 0xcd, 0xac]), liantong: Buffer.from([0xc1, 0xaa, 0xcd, 0xa8]) }
const big5 = Buffer.from([0xa6, 0x58, 0xac, 0xf9])

/** A zip with these names as bytes and no declared encoding. */
function zipOf(...names: readonly Buffer[]): Buffer {
  const kept = names.map((_, n) => `n${n}`.padEnd(names[n]?.length ?? 0, '_'))
  const zip = Buffer.from(zipSync(Object.fromEntries(kept.map((name, n) => [name, strToU8(`file ${n}`)]))))
  for (const [n, name] of kept.entries()) {
    for (let at = zip.indexOf(name); at >= 0; at = zip.indexOf(name, at)) names[n]?.copy(zip, at)
  }
  return zip
}
const listing = async (bytes: Buffer): Promise<Listing['entries']> => {
  const parts = { json: () => 0, text: () => 0, bytes: () => 0 }
  const made = await readArchive({ bytes, ext: 'zip', parts, mostCells: 0, progress: () => {} })
  return made.kind === 'listing' ? made.entries : []
}

test('[R163] names are read as Chinese Windows wrote them, all of an archive alike, and say where that is a guess', async () => {
  // One of the names would be valid UTF-8 too.
  const entries = await listing(zipOf(signs.gbk, signs.liantong, Buffer.from('plain.txt')))
  expect(entries.map(({ path }) => path)).toEqual(['合同', '联通', 'plain.txt'])
  expect(entries.map(({ rawName }) => rawName)).toEqual([
    signs.gbk.toString('base64'),
    signs.liantong.toString('base64'),
    undefined,
  ])
  expect(entries[0]?.crc).toBe(crc32('file 0'))
  const said = await listing(Buffer.from(zipSync({ '合同.txt': strToU8('a') })))
  expect(said).toMatchObject([{ path: '合同.txt' }])
  expect(said[0]?.rawName).toBeUndefined()
})

// [R163] Archive names written by Chinese Windows are decoded automatically; where the encoding is unknown it is
// chosen, and an extracted file has the name in the chosen encoding.
test('[R163] in an encoding that is asked for, a file is listed, taken out and unpacked by its name in that', async () => {
  const zip = zipOf(big5)
  expect((await listing(zip))[0]?.path).not.toBe('合約')
  expect(await readEntry(zip, 'zip', '合約')).toBeUndefined()
  expect((await readEntry(zip, 'zip', '合約', 'big5'))?.toString()).toBe('file 0')
  const paths: string[] = []
  for await (const { path } of unpack(zip, 'zip', 'big5')) paths.push(path)
  expect(paths).toEqual(['合約'])
})

test('[R163] what is not as its sum says is not taken out', async () => {
  const zip = Buffer.from(zipSync({ 'a.txt': [strToU8('stored as it is'), { level: 0 }], 'b.txt': strToU8('b') }))
  zip.write('other', zip.indexOf('stored'))
  await expect(readEntry(zip, 'zip', 'a.txt')).rejects.toMatchObject({ code: 'conversionFailed' })
  expect((await readEntry(zip, 'zip', 'b.txt'))?.toString()).toBe('b')
})
