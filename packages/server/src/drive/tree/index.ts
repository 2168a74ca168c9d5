// The tree: items and their ancestors, an actor's access to them, and the statements that change them.
export {
  type Above,
  aboveChildrenOf,
  accessTo,
  accessToMany,
  createGatekeeper,
  factsBelow,
  inheritedBy,
  isEditor,
  lockItem,
  type Parent,
  parentsOf,
} from './access.ts'
export { itemColumns, maxDepth, noPeople, ownEntries, peopleOf, unpackEntries } from './chains.ts'
export { visibleDescendants, visitDescendants } from './descendants.ts'
export { commitEnded, itemEvent } from './events.ts'
export { createFirstPages, type FirstPages } from './first-page.ts'
export { followLinks, insertLink, isFolderRow } from './links.ts'
export { type Basis, groupChildren, listChildren } from './list.ts'
export { nameMatches } from './match.ts'
export {
  type CompleteRecords,
  createCompleteRecords,
  type RecordFields,
  recordFields,
} from './record-fields.ts'
export { newlyStored, recordOf, storedItem, toRecord, virtualParentOf, visiblePath } from './records.ts'
export { foldersWithSubfolders } from './subfolders.ts'
export { foldTallies, type SpaceEvent } from './tallies.ts'
export {
  addVersion,
  checkBelow,
  checkDepth,
  checkDepthOf,
  checkStillThere,
  dropVersion,
  holderOf,
  insertFolder,
  isNameTaken,
  isTooDeep,
  isWithin,
  lockFolderMoves,
  type NameConflict,
  type NewItem,
  nameColumns,
  nameToCome,
  notEdited,
  tally,
  withName,
} from './write.ts'
