// What the windows of the exchange are opened with, and what they answer.
import type { ExchangeNetwork, ExchangeRule } from '@cloudoc/contract'
import type { Subject } from '../people/index.ts'
import type { SentItem, Which } from './exchange-queries.ts'

export interface SendProps {
  readonly items: readonly SentItem[]
}
export interface DetailProps extends Which {
  readonly name?: string
}
export interface PasswordProps {
  readonly approveId: number
  /** Where to put the files; 0: the folder for received files. */
  readonly folderId: number
  readonly sender: string
}
/** Where the files are that were picked up. */
export interface PickedUp {
  readonly fileId: number
  readonly folderId: number
}
export interface RuleProps {
  readonly rule?: ExchangeRule
  readonly networks: readonly { readonly targetServerCode: string; readonly targetName: string }[]
  readonly libraries: readonly { readonly libraryId: number; readonly name: string }[]
}
export interface NetworkProps {
  readonly network?: ExchangeNetwork
  readonly servers: readonly { readonly serverId: number; readonly serverName: string }[]
}
/** The question which rule decides. */
export interface TryProps extends Pick<RuleProps, 'networks' | 'libraries'> {
  /** Who is asked about first. */
  readonly sender?: Subject
}
