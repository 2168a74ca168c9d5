/*
 * Uploads in parts on the local store. Each upload has a folder `uploads/{key}`. A part that nobody else was ever given
 * to write goes straight to its place in the file `whole`; every other attempt at a part writes a file of its own, so
 * that concurrent and broken attempts never mix and a part that was acknowledged is never written over.
 *
 * Where all parts lie in `whole`, each by its only writer, nobody can be writing there any more: joining is one link to
 * the object's name. Otherwise the parts are copied. Either way the parts stay until they are removed, so that a join
 * may be tried again.
 */
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createBlockSums } from './block-sums.ts'
import type { FileOperations } from './file-operations.ts'
import { codeOf, pour, syncFolder } from './local-files.ts'
import { objectOf } from './read-object.ts'
import type { PartStore, Staged } from './store.ts'

const keyForm = /^[\w-]{20,60}$/
const ownForm = /^[\w-]{16}$/
/** The tag of a part that lies in its place. */
const inPlace = 'whole'
/** How many upload folders a process remembers to have made durable. */
const rememberMost = 10_000

interface LocalPartsOptions {
  readonly files: FileOperations
  readonly folder: string
  /** Copies contents to a staged file of their own. */
  readonly stage: (content: AsyncIterable<Uint8Array>) => Promise<Staged>
  /** Gives a file that is durable where it lies the name of an object. */
  readonly keep: (path: string, sha256: Buffer, move: FileOperations['rename']) => Promise<string>
}

/** The part of the local store that keeps uploads in parts. */
export async function openLocalParts({ files, folder, stage, keep }: LocalPartsOptions): Promise<PartStore> {
  const { link, mkdir, open, rm, stat, unlink } = files
  const uploads = join(folder, 'uploads')
  await mkdir(uploads, { recursive: true })

  const pathOf = (key: string): string => {
    if (!keyForm.test(key)) throw new Error('no such upload')
    return join(uploads, key)
  }
  const partPath = (key: string, tag: string): string => {
    if (tag !== inPlace && !ownForm.test(tag)) throw new Error('no such part')
    return join(pathOf(key), tag)
  }

  // The names of an upload's folder and of its `whole` are made durable once by each process that writes there.
  const prepared = new Map<string, Promise<void>>()
  const prepare = async (key: string): Promise<void> => {
    await mkdir(pathOf(key), { recursive: true })
    try {
      await (await open(partPath(key, inPlace), 'wx')).close()
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    await syncFolder(files, pathOf(key))
    await syncFolder(files, uploads)
  }
  const prepareOnce = (key: string): Promise<void> => {
    let preparing = prepared.get(key)
    if (preparing === undefined) {
      if (prepared.size >= rememberMost) prepared.clear()
      preparing = prepare(key)
      prepared.set(key, preparing)
      preparing.catch(() => prepared.delete(key))
    }
    return preparing
  }

  const read = async (key: string, part: { tag: string; start: number; size: number }) => {
    const start = part.tag === inPlace ? part.start : 0
    return objectOf(await files.openToRead(partPath(key, part.tag)), { start, end: start + part.size - 1 })
  }

  return {
    async writePart(key, { start, most, alone }, content) {
      await prepareOnce(key)
      const tag = alone ? inPlace : randomBytes(12).toString('base64url')
      const path = partPath(key, tag)
      const handle = await open(path, alone ? 'r+' : 'wx')
      try {
        const poured = await pour(handle, content, { at: alone ? start : 0, most })
        await handle.sync()
        await handle.close()
        if (!alone) await syncFolder(files, pathOf(key))
        return { tag, ...poured }
      } catch (error) {
        await handle.close().catch(() => {})
        if (!alone) await unlink(path).catch(() => {})
        throw error
      }
    },

    async joinParts(key, parts) {
      const bytes = async function* (): AsyncIterable<Uint8Array> {
        for (const part of parts) {
          if (part.size > 0) yield* await read(key, part)
        }
      }
      const size = parts.reduce((sum, part) => sum + part.size, 0)
      const whole = partPath(key, inPlace)
      if (parts.length === 0 || parts.some(({ tag }) => tag !== inPlace) || (await stat(whole)).size !== size) {
        return stage(bytes())
      }
      const hash = createHash('sha256')
      const sums = createBlockSums()
      for await (const chunk of bytes()) {
        hash.update(chunk)
        sums.add(chunk)
      }
      const sha256 = hash.digest()
      return {
        size,
        sha256,
        sums: sums.end(),
        async keep() {
          try {
            return await keep(whole, sha256, link)
          } catch (error) {
            // A file system without links.
            if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(codeOf(error) ?? '')) throw error
            return (await stage(bytes())).keep()
          }
        },
        discard: () => Promise.resolve(),
      }
    },

    async removePart(key, tag) {
      if (tag !== inPlace) await rm(partPath(key, tag), { force: true })
    },

    async removeParts(key) {
      prepared.delete(key)
      await rm(pathOf(key), { recursive: true, force: true })
    },
  }
}
