/*
 * Evaluates the rules of item actions for menus, toolbar, shortcuts and drops: whether an action is possible with these
 * items, and the reason if not. The rule of each action is a gate of the domain, the same one that the server enforces.
 * This module adds only the facts that the server cannot know: how many items are selected, whether the page is
 * connected, and what is on the clipboard.
 *
 * An action that the user has no right to is not shown ("hidden"). An action that is blocked by something else is shown
 * with the reason. The shortcut of either shows the reason.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { type FactsOfPerson, factsOfLink, factsOfRecord } from '@cloudoc/contract/facts'
import { type CodeName, denial, type GateName, gates, lowestRights } from '@cloudoc/domain'
import { isLink } from '../item/item.ts'

/** The user and the state of the page that an action is evaluated for. */
export interface ActionContext extends FactsOfPerson {
  /** The user at linked servers, by the number of the server. Default: the user here. */
  readonly elsewhere?: ReadonlyMap<number, FactsOfPerson>
  readonly offline: boolean
  /** True while the clipboard holds items to paste. */
  readonly clipboard: boolean
}

/** The conditions of an action, as data. */
export interface Rule {
  /** The domain rule that the server enforces. Without a gate, everybody may run the action. */
  readonly gate?: GateName
  /** The number of items that the action takes. Default: any number. */
  readonly count?: 'one' | 'some'
  readonly only?: 'file' | 'folder'
  /** The action changes something, so it needs a connection to the server. */
  readonly writes?: true
  /** The action applies to the link itself, not to its target. */
  readonly ofLink?: true
  /** The action is also offered for a broken link: it shows the user that the link is broken. */
  readonly follows?: true
  /** The action needs items on the clipboard. */
  readonly pastes?: true
  /** The gate to use when several items, or a folder, are downloaded as one archive. */
  readonly packed?: GateName
  /** The action is possible if it is for one of the items; it leaves out the others. */
  readonly forAny?: true
}

/** Rules that several parts of the drive use. */
export const rules = {
  open: { gate: 'see', count: 'one', follows: true },
  property: { gate: 'link', count: 'one' },
  preview: { gate: 'preview', count: 'one', only: 'file' },
  edit: { gate: 'editHere', count: 'one', only: 'file', writes: true },
  editTogether: { gate: 'editTogether', count: 'one', only: 'file', writes: true },
  print: { gate: 'printItem', count: 'one', only: 'file' },
  download: { gate: 'takeDownload', count: 'some', packed: 'downloadPacked' },
  downloadCompressed: { gate: 'downloadCompressed', count: 'one', only: 'file' },
  downloadPdf: { gate: 'downloadPdf', count: 'some', only: 'file' },
  downloadMarked: { gate: 'downloadMarked', count: 'one', only: 'file' },
  exportFolder: { gate: 'exportFolder', count: 'some', only: 'folder' },
  copyLink: { gate: 'see', count: 'some', ofLink: true },
  copy: { gate: 'copy', count: 'some', ofLink: true },
  cut: { gate: 'move', count: 'some', writes: true, ofLink: true },
  move: { gate: 'move', count: 'some', writes: true, ofLink: true },
  rename: { gate: 'rename', count: 'one', writes: true, ofLink: true },
  delete: { gate: 'delete', count: 'some', writes: true, ofLink: true },
  follow: { gate: 'follow', count: 'some', writes: true },
  followDownloads: { gate: 'followDownloads', count: 'some', writes: true },
  grant: { gate: 'grant', count: 'some', writes: true },
  clearRights: { gate: 'clearRights', count: 'some', writes: true },
  comment: { gate: 'comment', count: 'one' },
  unlock: { gate: 'see', count: 'one', only: 'file', writes: true },
  forceUnlock: { gate: 'forceUnlock', count: 'some', only: 'file', writes: true },
  tag: { gate: 'tag', count: 'some', writes: true },
  favorite: { gate: 'favorite', count: 'some', writes: true },
  manageRights: { gate: 'grant', count: 'one', writes: true },
  deleteForGood: { gate: 'completeDelete', count: 'some', writes: true, ofLink: true },
  link: { gate: 'link', count: 'some', writes: true },
  arrange: { gate: 'arrange', count: 'one', only: 'folder', writes: true },
  rollBack: { gate: 'rollBack', count: 'one', only: 'folder', writes: true },
  upload: { gate: 'upload', count: 'one', only: 'folder', writes: true },
  create: { gate: 'upload', count: 'one', only: 'folder', writes: true },
  createAssociated: { gate: 'createAssociated', count: 'one', only: 'folder', writes: true },
  associate: { gate: 'associate', count: 'some', only: 'folder', writes: true },
  linkHere: { gate: 'upload', count: 'one', only: 'folder', writes: true },
  uploadSecret: { gate: 'uploadSecret', count: 'one', only: 'folder', writes: true },
  setSecret: { gate: 'setSecret', count: 'some', only: 'file', writes: true },
  setReadOnly: { gate: 'setReadOnly', count: 'some', only: 'folder', writes: true },
  restrict: { gate: 'restrict', count: 'some', writes: true },
  closeToLinks: { gate: 'closeToLinks', count: 'some', writes: true },
  applyAuthorization: { gate: 'applyAuthorization', count: 'one', writes: true },
  paste: { gate: 'upload', count: 'one', only: 'folder', writes: true, pastes: true },
} as const satisfies Record<string, Rule>

/** Reasons that only the client knows. */
export type ClientReason = 'offline' | 'nothingSelected' | 'tooMany' | 'wrongKind' | 'nothingCopied' | 'intoItself'

/** The reason why an action is not possible: a result code of the server, or a reason that only the client knows. */
export type Reason = CodeName | ClientReason

export interface Verdict {
  readonly show: boolean
  readonly enabled: boolean
  readonly reason: Reason | undefined
}

const allowed: Verdict = { show: true, enabled: true, reason: undefined }

const kinds = new WeakMap<readonly ItemRecord[], readonly ItemRecord[]>()

/** Returns one item of each kind that a gate can distinguish. 100,000 items have only a few kinds. */
function kindsOf(items: readonly ItemRecord[]): readonly ItemRecord[] {
  const known = kinds.get(items)
  if (known !== undefined) return known
  const byKind = new Map<string, ItemRecord>()
  for (const item of items) {
    const { rights, itemStatus, fType, extName, docFlag, secretLevel, ownerId, parentFolderId } = item
    const seen = [
      item.serverId,
      item.linkId === 0,
      item.linkRights,
      item.operations,
      rights,
      itemStatus,
      fType,
      extName,
      docFlag,
      secretLevel,
      ownerId,
      Math.min(parentFolderId, 0),
    ]
    byKind.set(seen.join(), item)
  }
  const found = [...byKind.values()]
  kinds.set(items, found)
  return found
}

/**
 * Evaluates whether the action is possible with these items, and whether to show it. `count` is the size of the
 * selection when `items` holds only its loaded part.
 */
export function evaluate(
  rule: Rule,
  items: readonly ItemRecord[],
  context: ActionContext,
  count = items.length,
): Verdict {
  if (count === 0) return hidden('nothingSelected')
  if (rule.count === 'one' && count > 1) return hidden('tooMany')
  const each = kindsOf(items)
  if (rule.forAny && each.length > 1) {
    const verdicts = each.map((item) => evaluate(rule, [item], context))
    return verdicts.find(({ enabled }) => enabled) ?? verdicts[0] ?? allowed
  }
  if (rule.only !== undefined && each.some((item) => (item.fType === 2) !== (rule.only === 'folder'))) {
    return hidden('wrongKind')
  }
  const factsOf = (item: ItemRecord) =>
    rule.ofLink && isLink(item)
      ? factsOfLink(item, personFor(item, context))
      : factsOfRecord(item, personFor(item, context))
  const packed = rule.packed !== undefined && (count > 1 || each.some(({ fType }) => fType === 2))
  const gate = packed ? rule.packed : rule.gate
  const lowest = lowestRights(each.map((item) => factsOf(item).rights))
  for (const item of each) {
    if (gate === undefined || (rule.follows && isLink(item))) continue
    const facts = factsOf(item)
    const code = denial(gates[gate], count === 1 ? facts : { ...facts, rights: lowest })
    if (code === undefined) continue
    return code === 'noPermission' || code === 'notFound' ? hidden(code) : { show: true, enabled: false, reason: code }
  }
  if (packed && each.some((item) => !personFor(item, context).capabilities.has('packDownload')))
    return hidden('noPermission')
  if (rule.pastes && !context.clipboard) return { show: true, enabled: false, reason: 'nothingCopied' }
  if (rule.writes && context.offline) return { show: true, enabled: false, reason: 'offline' }
  return allowed
}

/** The facts of the user at the server of an item. */
export function personFor({ serverId }: Pick<ItemRecord, 'serverId'>, context: ActionContext): FactsOfPerson {
  return context.elsewhere?.get(serverId) ?? context
}

/** The verdict for an action that is neither possible nor shown. */
export function hidden(reason: Reason): Verdict {
  return { show: false, enabled: false, reason }
}
