// The calls of people who sign without an account ([R025], [R275]).
import type { features, SignInvitation } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Contents } from '../../core/blobs/contents.ts'
import type { Context, StagedContext, WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { sendContent } from '../../drive/transfer/index.ts'
import { pictureOf } from '../signatures/index.ts'
import { assertMaySign, lock, reject, unlock } from './acts.ts'
import {
  type ExternalRow,
  enterSign,
  externalSignerOf,
  invitedBy,
  maskedAddress,
  readPass,
  sendSignCode,
} from './outsiders.ts'
import { fieldPositions } from './read.ts'
import { type ActivityRow, readActivity, revisionOf, signersOf } from './rows.ts'
import { signAs } from './sign.ts'

type SigningCalls = typeof features.signing.calls
type Names =
  | 'getSignInvitation'
  | 'sendSignCode'
  | 'enterSign'
  | 'getSignFromEmail'
  | 'getFileFromEmail'
  | 'lockFromEmail'
  | 'unlockFromEmail'
  | 'signFromEmail'
  | 'rejectFromEmail'

/** How the process is for the signer. */
function stateFor(row: ActivityRow, { state }: ExternalRow): SignInvitation['state'] {
  if (state === 'rejected') return 'rejected'
  if (row.state === 'archived') return 'archived'
  if (row.state !== 'running' && row.state !== 'signed') return 'over'
  if (state === 'signed') return 'signed'
  return state === 'now' ? 'now' : 'later'
}

async function invitationOf(
  db: Db,
  { settings }: Pick<Services, 'settings'>,
  signer: ExternalRow,
  isInside: boolean,
): Promise<SignInvitation> {
  const row = await readActivity(db, signer.activity_id)
  const { rows } = await sql<{ mail: string; count: number }>`
    select a.email as mail, (select count(*)::int from sign_signer g where g.activity_id = ${row.id}) as count
    from account a where a.id = ${row.launcher_id}`.execute(db)
  const set = await settings.current()
  return {
    ...{ state: stateFor(row, signer), isInside, company: set.company_name, activityTitle: row.title },
    ...{ launcherName: row.launcher, launcherMail: rows[0]?.mail ?? '', name: signer.name },
    ...{ codeGoesTo: maskedAddress(signer), signerCount: rows[0]?.count ?? 0, order: signer.place + 1 },
    ...{ inOrder: row.in_order, deadline: row.deadline },
  }
}

/** Whoever is asked or has signed reads the file; after an end without all signatures only who has signed. */
function assertMayRead(row: ActivityRow, signer: ExternalRow): void {
  const state = stateFor(row, signer)
  if (state === 'later') fail('noPermission', { zh: '还没有轮到你签', en: 'it is not your turn yet' })
  if (state === 'rejected' || (state === 'over' && signer.state !== 'signed')) fail('noPermission')
}

/** The handlers of those calls. */
export function fromEmailHandlers(services: Services, contents: Contents): Pick<Handlers<SigningCalls>, Names> {
  const parts = { ...services, contents }
  return {
    async getSignInvitation({ db, now, request }: Context, { signToken }) {
      const signer = await invitedBy(db, signToken, now)
      return invitationOf(db, services, signer, (await readPass(db, request, signer, now)) !== undefined)
    },

    sendSignCode: (context: StagedContext, { signToken }) => sendSignCode(context, services, signToken),
    enterSign: (context: StagedContext, input) => enterSign(context, input),

    async getSignFromEmail(context: Context) {
      const { db, now } = context
      const { signer } = externalSignerOf(context)
      const row = await readActivity(db, signer.activity_id)
      const invitation = await invitationOf(db, services, signer, true)
      const isTurn = invitation.state === 'now'
      const { size } = await revisionOf(db, row.id, row.revision)
      const isLocked = row.locked_until > now && row.locked_signer !== null && row.locked_signer !== signer.id
      return {
        ...invitation,
        ...{ fileName: row.file_name, comment: row.comments, pages: row.layout.pages, revision: row.revision, size },
        fields: isTurn ? await fieldPositions(db, row, sql`g.id = ${signer.id}`) : [],
        isLocked,
      }
    },

    async getFileFromEmail(context: Context, { revision }) {
      const { signer } = externalSignerOf(context)
      const row = await readActivity(context.db, signer.activity_id)
      assertMayRead(row, signer)
      const content = await revisionOf(context.db, row.id, revision ?? row.revision)
      await sendContent(context, contents, { ...content, name: `${row.title}.pdf` })
    },

    async lockFromEmail(context: WriteContext) {
      const { signer } = externalSignerOf(context)
      return { until: await lock(context, signer.activity_id, { signerId: signer.id, acting: null }) }
    },

    async unlockFromEmail(context: WriteContext) {
      const { signer } = externalSignerOf(context)
      await unlock(context, signer.activity_id, { signerId: signer.id, acting: null })
      return {}
    },

    async signFromEmail(context: StagedContext, { revision, picture, texts, comments }) {
      const { db, now } = context
      const { signer, pass } = externalSignerOf(context)
      const activityId = signer.activity_id
      const row = await readActivity(db, activityId)
      const own = (await signersOf(db, activityId)).find(({ id }) => id === signer.id) ?? fail('notFound')
      assertMaySign(row, own, { revision, accountId: null, now })
      const { revision: made } = await signAs(
        context,
        parts,
        { activityId, revision, texts, comments },
        {
          ...{ signerId: signer.id, accountId: null, name: signer.name, mail: signer.mail },
          how: pass.channel === 'mail' ? 'mailCode' : 'phoneCode',
          pictures: { signature: picture === undefined ? undefined : pictureOf(picture), seal: undefined },
          // The pass is read again by the dispatcher when the transaction begins.
          holds: () => Promise.resolve(),
          stored: () => Promise.resolve(),
        },
      )
      return { revision: made }
    },

    async rejectFromEmail(context: WriteContext, { comments }) {
      const { signer } = externalSignerOf(context)
      const said = { signerId: signer.id, acting: null, comments: comments.trim() }
      await reject(context, services, signer.activity_id, said)
      context.audit({ activityId: signer.activity_id })
      return {}
    },
  }
}
