// The calls of signing ([R274]-[R278]).
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Contents } from '../../core/blobs/contents.ts'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { enqueue } from '../../core/queue/rows.ts'
import type { Services } from '../../core/services.ts'
import { servable, storedVersions } from '../../drive/content/index.ts'
import { sendContent } from '../../drive/transfer/index.ts'
import { changeExternalSigner, handOn, lock, reject, remind, unlock, withdraw } from './acts.ts'
import { archiving } from './archive-kind.ts'
import { signerFor } from './askable.ts'
import { checkPdf } from './check.ts'
import { fromEmailHandlers } from './from-email.ts'
import { bytesOf, launch } from './launch.ts'
import { listSignings, signaturesWaiting, signDetail, signingsOpen } from './read.ts'
import { readActivity, revisionOf, signingObjects } from './rows.ts'
import { sign } from './sign.ts'

/** The largest file whose signatures are checked. */
const mostChecked = 200 * 1024 * 1024

/** The handlers of signing. */
export function signingHandlers(services: Services, contents: Contents) {
  const objects = signingObjects(services.now)
  const parts = { ...services, contents }
  const factsOf = (context: Context, id: number) => context.object(objects, id).facts

  const ownSigner = async (context: WriteContext, id: number) => {
    const acting = actorOf(context)
    const signer = (await signerFor(context.tx, acting, id, context.now)) ?? fail('notFound')
    return { signerId: signer.id, acting }
  }

  return implement(features.signing.calls, {
    ...fromEmailHandlers(services, contents),

    async launchSign(context, asked) {
      return { activityId: await launch(context, parts, asked) }
    },

    getSignReviewList: (context, page) =>
      listSignings(context.db, actorOf(context), { side: 'review', now: context.now, ...page }),
    getSignCreationList: (context, page) =>
      listSignings(context.db, actorOf(context), { side: 'creation', now: context.now, ...page }),

    async getSignCount(context) {
      const actor = actorOf(context)
      return {
        review: await signaturesWaiting(context.db, actor, context.now),
        creation: await signingsOpen(context.db, actor, context.now),
      }
    },

    getSignDetail: (context, { activityId }) =>
      signDetail(context.db, actorOf(context), activityId, factsOf(context, activityId), context.now),

    async getSignFile(context, { activityId, revision }) {
      const row = await readActivity(context.db, activityId)
      const content = await revisionOf(context.db, activityId, revision ?? row.revision)
      await sendContent(context, contents, { ...content, name: `${activityId}.pdf` })
    },

    async lockSign(context, { activityId }) {
      return { until: await lock(context, activityId, await ownSigner(context, activityId)) }
    },

    async unlockSign(context, { activityId }) {
      const acting = actorOf(context)
      const own = await signerFor(context.tx, acting, activityId, context.now)
      if (own !== undefined) await unlock(context, activityId, { signerId: own.id, acting })
      return {}
    },

    sign: (context, asked) => sign(context, parts, asked, 'sign'),
    approveSign: (context, asked) => sign(context, parts, { ...asked, texts: [] }, 'approveSign'),

    async rejectSign(context, { activityId, comments }) {
      const own = await ownSigner(context, activityId)
      await reject(context, services, activityId, { ...own, comments: comments.trim() })
      context.audit({ activityId })
      return {}
    },

    async handOnSign(context, { activityId, userId, comments }) {
      await handOn(context, services, activityId, { userId, comments })
      context.audit({ activityId })
      return {}
    },

    async remindSign(context, { activityId }) {
      return { count: await remind(context, services, activityId) }
    },

    async changeExternalSigner(context, { activityId, signerId, outside }) {
      await changeExternalSigner(context, services, activityId, { signerId, outside })
      context.audit({ activityId })
      return {}
    },

    async withdrawSign(context, { activityId, comments }) {
      await withdraw(context, services, activityId, comments.trim())
      context.audit({ activityId })
      return {}
    },

    async archiveSign(context, { activityId, archiveFolderId }) {
      const { tx, now } = context
      await sql`
        update sign_activity set archive_folder_id = ${archiveFolderId}, archive_problem = null
        where id = ${activityId}`.execute(tx)
      await enqueue({ tx, now }, archiving, { activityId, folderId: archiveFolderId }, { retryFailed: true })
      context.audit({ activityId })
      return {}
    },

    async checkSign(context, { activityId }) {
      const row = await readActivity(context.db, activityId)
      return checkPdf(context.db, await bytesOf(contents, await revisionOf(context.db, activityId, row.revision)))
    },

    async checkFileSign(context, { fileId }) {
      const { row } = context.item({ fType: 1, fId: fileId })
      const [found] = await storedVersions(context.db, [{ fileId, version: row.version }])
      const stored = servable(found ?? fail('versionMissing'))
      if (row.ext !== 'pdf' || stored.size > mostChecked) return fail('conversionUnsupported')
      return checkPdf(context.db, await bytesOf(contents, stored))
    },
  })
}
