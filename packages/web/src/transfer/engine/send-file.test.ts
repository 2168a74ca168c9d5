import { describe, expect, test } from 'vitest'
import type { Hasher } from './hasher.ts'
import { largeFrom, type SendTools, sendFile } from './send-file.ts'
import { TransferFailure } from './states.ts'
import type { TransferFile } from './store.ts'
import { defaultUploadParams } from './task.ts'
import type { UploadApi } from './upload-api.ts'

const size = largeFrom + 10
const partSize = 400_000
const content = new File([new Uint8Array(size)], 'a.bin')
const row: TransferFile = {
  taskId: 1,
  index: 0,
  name: 'a.bin',
  path: 'a.bin',
  size,
  modified: 1,
  folderId: 7,
  folderName: '华东大区',
  conflict: 'refuse',
  state: 'pending',
  sent: 0,
}

/** A server that already has these parts, with a log of its requests. */
function serverWith(more: Partial<UploadApi> = {}, held: number[] = []) {
  const parts = new Set(held)
  const asked: string[] = []
  const wire: UploadApi = {
    raw: async () => {
      throw new Error('a large file goes in parts')
    },
    open: async ({ proof }) => {
      asked.push(proof === undefined ? 'open' : 'prove')
      return { uploadId: '7-u', partSize }
    },
    part: async (_, number, blob, { onProgress }) => {
      asked.push(`part ${number}: ${blob.size}`)
      onProgress(blob.size)
      parts.add(number)
    },
    status: async () => {
      asked.push('status')
      return { parts: [...parts], expiresAt: 0, partSize, fileSize: size }
    },
    complete: async () => {
      asked.push('complete')
      if (parts.size < 3) throw new TransferFailure('uploadNotFinished')
      return { fileId: 5 }
    },
    abort: async () => undefined,
    same: async () => undefined,
    ...more,
  }
  return { wire, asked, parts }
}

const hasher: Hasher = { hash: async () => 'aa', proof: async () => 'bb' }
const known: Partial<TransferFile>[] = []
function toolsFor(wire: UploadApi, more: Partial<SendTools> = {}): SendTools {
  known.length = 0
  return {
    wire,
    hasher,
    signal: new AbortController().signal,
    onPhase: () => undefined,
    onProgress: () => undefined,
    record: async (change) => void known.push(change),
    ...more,
  }
}

describe('sending a large file', () => {
  test('goes in parts of the server’s size, and its upload is kept before the first of them [R197]', async () => {
    const { wire, asked } = serverWith()
    const sent: number[] = []
    const arrived = await sendFile(
      row,
      content,
      defaultUploadParams,
      toolsFor(wire, { onProgress: (bytes) => sent.push(bytes) }),
    )
    expect(arrived).toEqual({ fileId: 5, instant: false })
    expect(asked).toEqual(['open', 'part 1: 400000', 'part 2: 400000', `part 3: ${size - 800_000}`, 'complete'])
    expect(known).toEqual([{ sha256: 'aa' }, { uploadId: '7-u' }])
    expect(sent).toEqual([...sent].sort((a, b) => a - b))
  })

  test('goes on with what the server holds, and sends only what is missing [R398]', async () => {
    const { wire, asked } = serverWith({}, [1, 3])
    await sendFile({ ...row, uploadId: '7-u', sha256: 'aa' }, content, defaultUploadParams, toolsFor(wire))
    expect(asked).toEqual(['status', 'part 2: 400000', 'complete'])
  })

  test('that became a file before its answer came is that file', async () => {
    const { wire, asked } = serverWith({
      status: async () => ({ parts: [1, 2, 3], expiresAt: 0, partSize, fileSize: size, fileId: 8 }),
    })
    const arrived = await sendFile(
      { ...row, uploadId: '7-u', sha256: 'aa' },
      content,
      defaultUploadParams,
      toolsFor(wire),
    )
    expect([arrived.fileId, asked]).toEqual([8, []])
  })

  test('begins anew where the server has forgotten the upload', async () => {
    const { wire, asked } = serverWith({
      status: async () => {
        throw new TransferFailure('notFound')
      },
    })
    await sendFile({ ...row, uploadId: '7-old', sha256: 'aa' }, content, defaultUploadParams, toolsFor(wire))
    expect(asked[0]).toBe('open')
    expect(known).toEqual([{ uploadId: '7-u' }])
  })

  test('sends again what the server turns out not to hold', async () => {
    const { wire, asked, parts } = serverWith()
    let lost = false
    const forgetful: UploadApi = {
      ...wire,
      complete: (input, signal) => {
        if (!lost) parts.delete(2)
        lost = true
        return wire.complete(input, signal)
      },
    }
    await sendFile(row, content, defaultUploadParams, toolsFor(forgetful))
    expect(asked.slice(-4)).toEqual(['complete', 'status', 'part 2: 400000', 'complete'])
  })

  test('whose content the person may read already is proved and not sent [R197]', async () => {
    const { wire, asked } = serverWith({
      open: async ({ proof }) => {
        asked.push(proof ?? 'open')
        const opened = { uploadId: '7-u', partSize, challenge: { nonce: '00', ranges: [{ start: 0, end: 9 }] } }
        return proof === undefined ? opened : { ...opened, done: true, fileId: 6 }
      },
    })
    expect(await sendFile(row, content, defaultUploadParams, toolsFor(wire))).toEqual({ fileId: 6, instant: true })
    expect(asked).toEqual(['open', 'bb'])
  })

  test('that was changed on the disk meanwhile is not stored, and the next try begins anew', async () => {
    const { wire } = serverWith({
      complete: async () => {
        throw new TransferFailure('uploadInterrupted')
      },
    })
    await expect(sendFile(row, content, defaultUploadParams, toolsFor(wire))).rejects.toThrow('fileChanged')
    expect(known.at(-1)).toEqual({ uploadId: undefined, sha256: undefined })
  })

  test('goes without its hash where the browser gives no worker', async () => {
    const { wire, asked } = serverWith()
    const none: Hasher = {
      ...hasher,
      hash: async () => {
        throw new TransferFailure('http')
      },
    }
    await sendFile(row, content, defaultUploadParams, toolsFor(wire, { hasher: none }))
    expect(asked.at(-1)).toBe('complete')
  })
})
