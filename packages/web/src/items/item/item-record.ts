// Builds an item record from partial data about an item, for example of a library in the list of libraries.
import type { ItemRecord } from '@cloudoc/contract'
import { extNameOf, fid, formatItemIdStr, mainServerId } from '@cloudoc/domain'

/** Returns an item record with these fields. Unknown fields are empty, and there are no rights. */
export function itemRecord(fields: Partial<ItemRecord> & Pick<ItemRecord, 'fId'>): ItemRecord {
  const fType = fields.fType ?? 1
  const fName = fields.fName ?? ''
  const serverId = fields.serverId ?? mainServerId
  const parentFolderId = fields.parentFolderId ?? 0
  const { editorId = -1, editorName = '' } = fields
  return {
    fid: fid(serverId, fields.fId),
    fName,
    fType,
    extName: fType === 2 ? '' : extNameOf(fName),
    version: 0,
    rights: 0,
    itemStatus: 0,
    itemIdStr: formatItemIdStr({ serverId, fType, fId: fields.fId }),
    pathItemIdStr: '',
    path: '',
    pathString: '',
    ownerId: 0,
    serverId,
    secretLevel: 0,
    secretName: '',
    secretInfo: { secretLevel: 0 },
    processId: 0,
    externalId: 0,
    externalNum: 0,
    linkId: 0,
    emailId: 0,
    sensitive: 0,
    docFlag: 0,
    editorId,
    editorName,
    editorNames: editorName,
    editorList: editorId > 0 ? [{ userId: editorId, name: editorName }] : [],
    parentFolderId,
    parentFolderName: '',
    parentItemIdStr: formatItemIdStr({ serverId, fType: 2, fId: parentFolderId }),
    fileSize: 0,
    lastOperatorName: '',
    createTime: 0,
    modifyTime: 0,
    diskTime: 0,
    creatorName: '',
    nameSort: fName,
    ...fields,
  }
}
