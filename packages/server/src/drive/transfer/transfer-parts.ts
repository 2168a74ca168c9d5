// What uploads and downloads are made of.
import { fail } from '@cloudoc/domain'
import type { Contents } from '../../core/blobs/contents.ts'
import type { Context } from '../../core/call/context.ts'
import type { Log } from '../../core/log.ts'
import type { Services } from '../../core/services.ts'
import type { StoredVersions } from '../content/index.ts'
import type { Downloads } from './downloads.ts'
import type { Uploads } from './uploads.ts'

export const file = (fId: number) => ({ fType: 1, fId }) as const

/** Finds the content of a version, the current one if none is named, with the name of the file. */
export const contentFinder =
  (storedVersion: StoredVersions) => async (context: Context, fileId: number, version?: number) => {
    const { row } = context.item(file(fileId))
    const content = await storedVersion(fileId, version ?? row.version)
    return content === undefined ? fail('versionMissing') : { ...content, name: row.name }
  }

export interface TransferParts extends Pick<Services, 'blobs' | 'secrets'> {
  readonly contents: Contents
  readonly uploads: Uploads
  readonly storedVersion: StoredVersions
  readonly downloads: Downloads
  readonly log: Log
}
