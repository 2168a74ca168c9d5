// An item record for window samples and tests.
import type { ItemRecord } from '@cloudoc/contract'
import { extNameOf, fid, formatItemIdStr } from '@cloudoc/domain'

/** A file, or what the fields make of it. */
export function sampleItem(fields: Partial<ItemRecord> & Pick<ItemRecord, 'fId'>): ItemRecord {
  const fType = fields.fType ?? 1
  const fName = fields.fName ?? `${fields.fId}.docx`
  const serverId = 0
  const parentFolderId = fields.parentFolderId ?? 1
  return {
    fid: fid(serverId, fields.fId),
    fName,
    fType,
    extName: fType === 2 ? '' : extNameOf(fName),
    version: 1,
    rights: 2048,
    itemStatus: 0,
    itemIdStr: formatItemIdStr({ serverId, fType, fId: fields.fId }),
    pathItemIdStr: '',
    path: '',
    pathString: '',
    ownerId: 1,
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
    editorId: 0,
    editorName: '',
    editorNames: '',
    editorList: [],
    parentFolderId,
    parentFolderName: '',
    parentItemIdStr: formatItemIdStr({ serverId, fType: 2, fId: parentFolderId }),
    fileSize: 1000,
    lastOperatorName: '王敏',
    createTime: 0,
    modifyTime: 0,
    creatorName: '王敏',
    nameSort: fName,
    ...fields,
  }
}
