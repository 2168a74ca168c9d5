/*
 * Multipart uploads on the local store. Each upload has a folder `uploads/{key}`. A part with only one writer is
 * written directly at its offset in the file `whole`. Every other attempt at a part writes its own file, so that
 * concurrent and interrupted attempts never mix and an acknowledged part is never overwritten.
 *
 * If all parts are in `whole`, each by its only writer, no write can be running any more: joining is one hard link to
 * the object's name. Otherwise the parts are copied. In both cases the parts remain until they are removed, so that a
 * join can be retried.
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
/** The tag of a part that is stored in `whole`. */
const inPlace = 'whole'
/** Maximum number of upload folders that a process remembers as durable. */
const rememberMost = 10_000

interface LocalPartsOptions {
  readonly files: FileOperations
  readonly folder: string
  /** Copies contents to a staged file. */
  readonly stage: (content: AsyncIterable<Uint8Array>) => Promise<Staged>
  /** Gives a durable file the name of an object. */
  readonly keep: (path: string, sha256: Buffer, move: FileOperations['rename']) => Promise<string>
}

/** Opens the part of the local store that manages multipart uploads. */
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
            // The file system does not support hard links.
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
