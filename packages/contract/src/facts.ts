// What gates may look at, from an item record: how clients ask the gates. The server builds the same from its rows.
import { type Facts, hasStatus, ItemStatusBit, isVirtualFolder, itemStatus, rights } from '@cloudoc/domain'
import type { ItemRecord } from './fields.ts'

/** Who meets the item. */
export interface FactsOfPerson {
  readonly userId: number
  readonly secretLevel: number
  readonly isGuest: boolean
  readonly capabilities: Facts['actor']['capabilities']
  readonly settings: Facts['settings']
}

/**
 * A link as one person meets it, to move, copy, rename or delete it: what it leads to is factsOfRecord's to say. Nothing
 * that binds its item binds the link.
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
    isHeld: false,
  }
}

/** An item as one person meets it. The record must be one that the server answered to this person. */
export function factsOfRecord(item: ItemRecord, person: FactsOfPerson): Facts {
  const status = itemStatus(item.itemStatus)
  return {
    rights: rights(item.rights),
    status,
    isFolder: item.fType === 2,
    // A library lies in a virtual folder; 0 is the parent that the person may not see.
    isLibraryRoot: item.fType === 2 && item.parentFolderId < 0,
    isVirtual: item.fType === 2 && isVirtualFolder(item.fId),
    extName: item.extName,
    docFlag: item.docFlag,
    secretLevel: item.secretLevel,
    inReadOnlyLibrary: item.libraryReadOnly === true,
    inColleagueFiles: item.colleague === true,
    isHeld: (item.editorId > 0 && item.editorId !== person.userId) || hasStatus(status, 'editMulti'),
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
