// Archives that do not declare the encoding of their names, and checksums of their entries.
import { crc32, gzipSync } from 'node:zlib'
import type { Listing } from '@cloudoc/contract'
import { documentKind, extNameOf } from '@cloudoc/domain'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { pax, tarOf } from '../../../test/tar.ts'
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
const listing = async (bytes: Buffer, ext = 'zip'): Promise<Listing['entries']> => {
  const parts = { json: () => 0, text: () => 0, bytes: () => 0 }
  const made = await readArchive({ bytes, ext, parts, mostCells: 0, progress: () => {} })
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

const unpacked = async (bytes: Buffer, ext = 'tar'): Promise<Record<string, string>> => {
  const files: Record<string, string> = {}
  for await (const one of unpack(bytes, ext)) files[one.path] = String(one.bytes)
  return files
}

// [R163] The names in pax headers of a tar are whole, and unpacking it loses no file.
test('[R163] the names of a tar are those of its pax headers, so names that are alike when cut stay two files', async () => {
  const long = '关于进一步加强公司信息化建设与数据安全管理工作的若干意见及实施细则征求意见稿'
  const [first, second] = [`合同/${long}第一版.txt`, `合同/${long}第二版.txt`]
  const cut = Buffer.from(first).subarray(0, 99)
  const archive = tarOf(
    pax({ path: first, mtime: '1700000000.25' }),
    { name: cut, text: 'AAAA' },
    pax({ path: second }),
    { name: cut, text: 'BBBB' },
    { name: '??/??.txt', text: 'no record' },
  )
  const entries = await listing(archive, 'tar')
  expect(entries.map(({ path }) => path)).toEqual([first, second, '??/??.txt'])
  expect(entries[0]).toMatchObject({ modified: 1_700_000_000_250, size: 4 })
  // A pax header declares UTF-8, so there is no encoding to choose.
  expect(entries[0]?.rawName).toBeUndefined()
  expect(await unpacked(archive)).toEqual({ [first]: 'AAAA', [second]: 'BBBB', '??/??.txt': 'no record' })
  expect((await readEntry(archive, 'tar', second, 'big5'))?.toString()).toBe('BBBB')
  for (const ext of ['tgz', 'gz']) expect(Object.keys(await unpacked(gzipSync(archive), ext))).toHaveLength(3)
})

test('[R163] pax records may be for all entries, of no known encoding, or of a file with holes', async () => {
  const archive = tarOf(
    pax({ comment: 'of all', size: '2' }, 'g'),
    { name: 'a.txt', text: 'aa', size: Buffer.from('00000000000\0') },
    pax({ hdrcharset: 'BINARY', path: signs.gbk }),
    { name: 'b.txt', text: 'bb' },
    pax({ 'GNU.sparse.name': 'disk.img', 'GNU.sparse.realsize': '99' }),
    { name: 'GNUSparseFile.0/disk.img', text: 'cc' },
  )
  expect(await unpacked(archive)).toEqual({ 'a.txt': 'aa', 合同: 'bb', 'disk.img': 'conversionUnsupported' })
  expect((await listing(archive, 'tar'))[1]?.rawName).toBe(signs.gbk.toString('base64'))
  const broken = tarOf({ name: 'x', type: 'x', text: '99 path=a\n' }, { name: 'a', text: 'a' })
  await expect(listing(broken, 'tar')).rejects.toMatchObject({ code: 'conversionFailed' })
})

// [R163] A tar of before POSIX and of GNU is read, and a damaged one is refused.
test('[R163] a tar of before POSIX is known by its sum, as is one that is damaged', async () => {
  const old = { magic: '', type: '\0' }
  expect(await unpacked(tarOf({ name: 'docs/', ...old }, { name: 'docs/old.txt', text: 'hi', ...old }))).toEqual({
    'docs/': '',
    'docs/old.txt': 'hi',
  })
  // GNU has times where POSIX has the start of the path, and writes large numbers in binary.
  const binary = Buffer.alloc(12)
  binary.writeUInt8(0x80)
  binary.writeUInt8(2, 11)
  const gnu = { magic: 'ustar  ', prefix: '14571563400' }
  expect(
    await unpacked(
      tarOf({ name: 'folder', type: '5', ...gnu }, { name: 'folder/a', text: 'hi', size: binary, ...gnu }),
    ),
  ).toEqual({ 'folder/': '', 'folder/a': 'hi' })
  const damaged = tarOf({ name: 'a', text: 'a' }, { name: 'b', text: 'b' })
  damaged.write('c', 1024)
  await expect(unpacked(damaged)).rejects.toMatchObject({ code: 'conversionFailed' })
  await expect(listing(Buffer.alloc(2048, 'text'), 'tar')).rejects.toMatchObject({ code: 'conversionFailed' })
})

// [R163] A packed file is an archive if a tar was packed; another one is not shown.
test('[R163] .tar.gz is read as .tgz is, and a packed file that is no archive is of a kind that is not shown', async () => {
  const archive = gzipSync(tarOf({ name: 'docs/a.txt', text: 'a' }))
  expect(documentKind(extNameOf('backup.tar.gz'))).toBe('archive')
  expect(await listing(archive, 'gz')).toMatchObject([{ path: 'docs/a.txt' }])
  await expect(listing(gzipSync('only a log'), 'gz')).rejects.toMatchObject({ code: 'conversionUnsupported' })
})
