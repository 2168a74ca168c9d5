// Feature: co-editing in the page, with its calls, its documents and automatic versions.
import { features } from '@cloudoc/contract'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { createCheckedContents, createStoredVersions } from '../../drive/content/index.ts'
import { recordFields } from '../../drive/tree/index.ts'
import { createBroadcast } from './broadcast.ts'
import { removeIdleDocuments } from './document-expiry.ts'
import { createDocuments } from './documents.ts'
import { editorsOfItems } from './editors.ts'
import { createEditing } from './edits.ts'
import { coeditHandlers } from './index.ts'
import { coeditTables } from './tables.ts'
import { type ContentOf, dueFiles, makeVersion } from './versions.ts'

const versionsEveryMs = 2000
const versionBatch = 50
const expiryEveryMs = 60 * 60_000

export const coedit = feature({
  wire: features.coedit,
  tables: coeditTables,
  open(services) {
    const { db, invalidations, now, log } = services
    const documents = createDocuments()
    const telling = createBroadcast(services)
    const contents = createCheckedContents(services)
    const storedVersion = createStoredVersions(db, invalidations)
    const contentOf: ContentOf = async (fileId, version) => {
      const content = await storedVersion(fileId, version)
      if (content === undefined) return undefined
      await using object = await contents.open(content)
      const chunks: Uint8Array[] = []
      for await (const chunk of object.lent()) chunks.push(Uint8Array.from(chunk))
      return Buffer.concat(chunks)
    }
    const make = (fileId: number) => makeVersion({ ...services, documents, contentOf }, fileId)
    return {
      contributions: [contribute(recordFields, editorsOfItems)],
      handlers: coeditHandlers({
        ...services,
        ...{ documents, editing: createEditing(documents), broadcast: telling, makeVersion: make },
        contentOf,
      }),
      chores: [
        {
          name: 'versions of what is written together',
          everyMs: versionsEveryMs,
          async run() {
            const due = await dueFiles(db, now(), versionBatch)
            for (const fileId of due) {
              try {
                await make(fileId)
              } catch (error) {
                // The blob store may be unavailable; all changes are in the database, and the version is retried.
                log.error({ err: error, fileId }, 'what was written together did not become a version yet')
              }
              telling.changed(fileId)
            }
            return false
          },
        },
        {
          name: 'documents that were edited together',
          everyMs: expiryEveryMs,
          run: () => removeIdleDocuments(db, now()),
        },
      ],
    }
  },
})
