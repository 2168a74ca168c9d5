// Exchange Web Services, as mailboxes use them.
export { type Ews, EwsRefusal, openEws } from './ews.ts'
export {
  changesSince,
  createFolder,
  deleteItems,
  type FolderChanges,
  isSentByExchange,
  type ListedItem,
  listExchangeFolders,
  mailsOf,
  markItems,
  moveItems,
  sendByExchange,
  tryExchange,
} from './requests.ts'
