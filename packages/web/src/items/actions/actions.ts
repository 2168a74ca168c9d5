/*
 * One evaluation for menus, toolbar, shortcuts and drops: what may be done with these items, and if not, why. The rule of
 * each action is a gate of the domain, the one that the server enforces; here are added only the things that the server
 * cannot know: how many are selected, whether the page is connected, what was copied.
 *
 * An action the person has no right to is not shown ("hidden"); one that something else stands in the way of is shown
 * with the reason. A shortcut of either gives the reason.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { type FactsOfPerson, factsOfLink, factsOfRecord } from '@cloudoc/contract/facts'
import { type CodeName, denial, type GateName, gates, lowestRights } from '@cloudoc/domain'
import { isLink } from '../item/item.ts'

/** Who asks, in what state. */
export interface ActionContext extends FactsOfPerson {
  readonly offline: boolean
  /** What was cut or copied waits for a paste. */
  readonly clipboard: boolean
}

/** What must hold for an action, as data. */
export interface Rule {
  /** The rule of the domain that the server enforces; without one everybody may. */
  readonly gate?: GateName
  /** How many items it takes; any number unless said. */
  readonly count?: 'one' | 'some'
  readonly only?: 'file' | 'folder'
  /** It changes something, so it needs the server now. */
  readonly writes?: true
  /** Done to a link itself, not to what it leads to. */
  readonly ofLink?: true
  /** Done to a link that leads nowhere too: that is how a person learns of it. */
  readonly follows?: true
  /** It takes what was cut or copied. */
  readonly pastes?: true
  /** Several items, or a folder, leave as one archive: by this rule. */
  readonly packed?: GateName
}

/** The rules that more than one part of the drive asks for. */
export const rules = {
  open: { gate: 'see', count: 'one', follows: true },
  property: { gate: 'link', count: 'one' },
  preview: { gate: 'preview', count: 'one', only: 'file' },
  edit: { gate: 'editHere', count: 'one', only: 'file', writes: true },
  editTogether: { gate: 'editTogether', count: 'one', only: 'file', writes: true },
  print: { gate: 'printItem', count: 'one', only: 'file' },
  download: { gate: 'download', count: 'some', packed: 'downloadPacked' },
  downloadCompressed: { gate: 'downloadCompressed', count: 'one', only: 'file' },
  downloadMarked: { gate: 'downloadMarked', count: 'one', only: 'file' },
  exportFolder: { gate: 'exportFolder', count: 'some', only: 'folder' },
  copy: { gate: 'copy', count: 'some', ofLink: true },
  cut: { gate: 'move', count: 'some', writes: true, ofLink: true },
  move: { gate: 'move', count: 'some', writes: true, ofLink: true },
  rename: { gate: 'rename', count: 'one', writes: true, ofLink: true },
  delete: { gate: 'delete', count: 'some', writes: true, ofLink: true },
  follow: { gate: 'follow', count: 'some', writes: true },
  followDownloads: { gate: 'followDownloads', count: 'some', writes: true },
  grant: { gate: 'grant', count: 'some', writes: true },
  comment: { gate: 'comment', count: 'one' },
  unlock: { gate: 'see', count: 'one', only: 'file', writes: true },
  forceUnlock: { gate: 'forceUnlock', count: 'some', only: 'file', writes: true },
  tag: { gate: 'tag', count: 'some', writes: true },
  favorite: { gate: 'favorite', count: 'some', writes: true },
  manageRights: { gate: 'grant', count: 'one', writes: true },
  deleteForGood: { gate: 'completeDelete', count: 'some', writes: true, ofLink: true },
  link: { gate: 'link', count: 'some', writes: true },
  arrange: { gate: 'arrange', count: 'one', only: 'folder', writes: true },
  upload: { gate: 'upload', count: 'one', only: 'folder', writes: true },
  create: { gate: 'upload', count: 'one', only: 'folder', writes: true },
  createAssociated: { gate: 'createAssociated', count: 'one', only: 'folder', writes: true },
  associate: { gate: 'associate', count: 'some', only: 'folder', writes: true },
  linkHere: { gate: 'upload', count: 'one', only: 'folder', writes: true },
  uploadSecret: { gate: 'uploadSecret', count: 'one', only: 'folder', writes: true },
  setSecret: { gate: 'setSecret', count: 'some', only: 'file', writes: true },
  setReadOnly: { gate: 'setReadOnly', count: 'some', only: 'folder', writes: true },
  restrict: { gate: 'restrict', count: 'some', writes: true },
  applyAuthorization: { gate: 'applyAuthorization', count: 'one', writes: true },
  paste: { gate: 'upload', count: 'one', only: 'folder', writes: true, pastes: true },
} as const satisfies Record<string, Rule>

/** What stands in the way that only the client knows. */
export type ClientReason = 'offline' | 'nothingSelected' | 'tooMany' | 'wrongKind' | 'nothingCopied' | 'intoItself'

/** Why an action is not possible: a result code, or what only the client knows. */
export type Reason = CodeName | ClientReason

export interface Verdict {
  readonly show: boolean
  readonly enabled: boolean
  readonly reason: Reason | undefined
}

const allowed: Verdict = { show: true, enabled: true, reason: undefined }

const kinds = new WeakMap<readonly ItemRecord[], readonly ItemRecord[]>()

/** One of each kind that a gate could tell apart: of 100,000 items there are a few. */
function kindsOf(items: readonly ItemRecord[]): readonly ItemRecord[] {
  const known = kinds.get(items)
  if (known !== undefined) return known
  const byKind = new Map<string, ItemRecord>()
  for (const item of items) {
    const { rights, itemStatus, fType, extName, docFlag, secretLevel, ownerId, parentFolderId } = item
    const seen = [
      item.linkId === 0,
      item.linkRights,
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
 * Whether the action is possible with these items, and whether it is worth showing. `count` is how many are selected where
 * the items are only those of them that are known.
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
  if (rule.only !== undefined && each.some((item) => (item.fType === 2) !== (rule.only === 'folder'))) {
    return hidden('wrongKind')
  }
  const factsOf = (item: ItemRecord) =>
    rule.ofLink && isLink(item) ? factsOfLink(item, context) : factsOfRecord(item, context)
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
  if (packed && !context.capabilities.has('packDownload')) return hidden('noPermission')
  if (rule.pastes && !context.clipboard) return { show: true, enabled: false, reason: 'nothingCopied' }
  if (rule.writes && context.offline) return { show: true, enabled: false, reason: 'offline' }
  return allowed
}

/** The verdict that an action is neither possible nor worth showing. */
export function hidden(reason: Reason): Verdict {
  return { show: false, enabled: false, reason }
}
