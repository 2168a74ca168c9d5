// Who is calling, as good as read from the database with every request (people/auth/sessions.ts).
import type { ServerSetting } from '@cloudoc/contract'
import type { Subjects } from '@cloudoc/domain'

export interface Actor {
  readonly kind: 'account'
  readonly accountId: number
  readonly account: string
  readonly name: string
  readonly groupId: number
  readonly secretLevel: number
  readonly isAdmin: boolean
  readonly mustChangePassword: boolean
  /** The most bytes that the account may put anywhere; 0: no limit. */
  readonly quota: number
  readonly sessionId: number
  readonly clientType: number
  readonly isGuest: boolean
  readonly subjects: Subjects
  /** The version of what people, departments and roles are. */
  readonly organisation: number
  /** Where a download ticket stands for the session: what it is good for, as `action:fType:fId`; all else is refused. */
  readonly scope?: ReadonlySet<string>
  /** The server settings that hold for this request. */
  readonly settings: ServerSetting
}
