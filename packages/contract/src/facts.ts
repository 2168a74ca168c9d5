// Builds the facts that gates check from an item record, so that clients can evaluate gates. The server builds the same
// facts from its rows.
import {
  type Facts,
  hasStatus,
  ItemStatusBit,
  isInProcess,
  isVirtualFolder,
  itemStatus,
  OperationBit,
  rights,
} from '@cloudoc/domain'
import type { ItemRecord } from './fields.ts'

/** The user's facts. */
export interface FactsOfPerson {
  readonly userId: number
  readonly secretLevel: number
  readonly isGuest: boolean
  readonly capabilities: Facts['actor']['capabilities']
  readonly settings: Facts['settings']
}

/**
 * The facts of a link for one user, to check move, copy, rename and delete of the link itself. For the link's target
 * use factsOfRecord. Restrictions of the target do not apply to the link.
 */
export function factsOfLink(item: ItemRecord, person: FactsOfPerson): Facts {
  const facts = factsOfRecord(item, person)
  return {
    ...facts,
    rights: rights(item.linkRights ?? 0),
    status: itemStatus(item.itemStatus & (ItemStatusBit.shortcut | ItemStatusBit.deleted)),
    isLibraryRoot: false,
    docFlag: 0,
    secretLevel: 0,
    downloadByApplication: false,
    downloadGranted: false,
    linkByApplication: false,
    isHeld: false,
    inProcess: false,
  }
}

/** The facts of an item for one user. The record must be one that the server returned to this user. */
export function factsOfRecord(item: ItemRecord, person: FactsOfPerson): Facts {
  const status = itemStatus(item.itemStatus)
  const operations = item.operations ?? 0
  return {
    rights: rights(item.rights),
    status,
    isFolder: item.fType === 2,
    // A library is the child of a virtual folder; parent 0 means the user may not see the parent.
    isLibraryRoot: item.fType === 2 && item.parentFolderId < 0,
    isVirtual: item.fType === 2 && isVirtualFolder(item.fId),
    extName: item.extName,
    docFlag: item.docFlag,
    secretLevel: item.secretLevel,
    inReadOnlyLibrary: item.libraryReadOnly === true,
    inColleagueFiles: item.colleague === true,
    downloadByApplication: (operations & OperationBit.downloadByApplication) !== 0,
    downloadGranted: (operations & OperationBit.downloadGranted) !== 0,
    linkByApplication: (operations & OperationBit.linkByApplication) !== 0,
    isHeld: (item.editorId > 0 && item.editorId !== person.userId) || hasStatus(status, 'editMulti'),
    inProcess: isInProcess(item.processId, status),
    actor: {
      isGuest: person.isGuest,
      isManager: hasStatus(status, 'documentManager'),
      isOwner: item.ownerId === person.userId,
      secretLevel: person.secretLevel,
      capabilities: person.capabilities,
    },
    settings: person.settings,
  }
}
