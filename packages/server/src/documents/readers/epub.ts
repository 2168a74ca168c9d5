// Reader of e-books: chapters in order, with embedded pictures.
import { posix } from 'node:path'
import type { Block, Flow } from '@cloudoc/contract'
import { decodeText } from '@cloudoc/domain'
import { Refused } from '../refusal.ts'
import { htmlBlocks } from './html.ts'
import { openPackage } from './package.ts'
import type { Reader } from './reader.ts'
import { descendants } from './xml.ts'

const mostChapters = 2000

export const readEpub: Reader = async ({ bytes, parts, progress }): Promise<Flow> => {
  const office = openPackage(bytes, parts)
  const container = office.xml('META-INF/container.xml')
  const path = container && [...descendants(container, 'rootfile')][0]?.attributes['full-path']
  const book = path === undefined ? undefined : office.xml(path)
  if (path === undefined || book === undefined) throw new Refused('conversionFailed', 'no book in it')
  if (office.zip.bytes('META-INF/encryption.xml')?.includes('EncryptedKey') === true)
    throw new Refused('sourceEncrypted')
  const within = (base: string, target: string): string =>
    posix.join(posix.dirname(base), decodeURIComponent(target.replace(/[?#].*$/s, '')))
  const items = new Map(
    [...named(book, 'item')].map(({ attributes }) => [attributes['id'] ?? '', attributes['href'] ?? '']),
  )
  const chapters = [...named(book, 'itemref')].flatMap(({ attributes }) => items.get(attributes['idref'] ?? '') ?? [])
  const blocks: Block[] = []
  for (const [n, chapter] of chapters.slice(0, mostChapters).entries()) {
    progress(n / chapters.length)
    const file = within(path, chapter)
    const found = office.zip.bytes(file)
    if (found === undefined) continue
    const read = await htmlBlocks(decodeText(found, false).text, parts, (address) =>
      /^[a-z]+:/i.test(address) ? undefined : office.zip.bytes(within(file, address)),
    )
    if (blocks.length > 0 && read.blocks.length > 0) blocks.push({ is: 'pageBreak' })
    blocks.push(...read.blocks)
  }
  if (blocks.length === 0) throw new Refused('conversionFailed', 'no chapter in it')
  return { kind: 'flow', blocks }
}

/** Some writers prefix their elements. */
function named(root: Parameters<typeof descendants>[0], name: string) {
  const plain = [...descendants(root, name)]
  return plain.length > 0 ? plain : [...descendants(root, `opf:${name}`)]
}
