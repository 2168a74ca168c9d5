// Examples for the descriptions of calls and pushes: the usual values of well-known field names, otherwise the smallest
// value that the schema accepts.
import { meaningOfInput } from './meanings.ts'
import { type Json, textOf } from './schemas.ts'

const time = 1_763_971_200_000
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

/** The public key of a linked server. */
const serverKey = 'A'.repeat(43)

/** Usual values by field name. A value is used if the schema accepts it. */
const usual: Readonly<Record<string, readonly unknown[]>> = {
  account: ['lin.hao', 'lin.hao@huaxin.cn'],
  accessToken: ['6f1b0c2f0a7e4c0f9d35c1a4b7f0e2d1'],
  accountName: ['林浩'],
  address: ['lin.hao@example.com', 'https://erp.example.com/hook'],
  apiHost: ['https://branch.example.com'],
  around: ['s0f12'],
  base: ['dc=huaxin,dc=example'],
  after: [''],
  bounds: [[0, 1_048_576]],
  challenge: [{ nonce: '00'.repeat(32), ranges: [{ start: 0, end: 1023 }] }],
  clientId: ['cloudoc'],
  clientType: [9],
  code: ['pwdLength', -3],
  comment: ['第 4 条已改为 45 天'],
  commentId: [8],
  creatorName: ['林浩'],
  epoch: ['b7f0e2d1'],
  expiresAt: [time + 300_000],
  extName: ['docx'],
  exts: ['docx,pdf'],
  fId: [12],
  group: ['cn=design,ou=groups,dc=huaxin,dc=example'],
  issuer: ['https://login.huaxin.example'],
  fType: [1, 2],
  fName: ['合同.docx', '项目'],
  fid: ['f12'],
  fileId: [12],
  fileIdArray: [[12, 13]],
  fileName: ['合同.docx'],
  fileNames: [['合同.docx', '报价.xlsx']],
  fileSize: [20_480],
  files: ['fi_12,fo_34'],
  folderId: [34],
  folderIdArray: [[]],
  folderName: ['项目'],
  from: [0, serverKey],
  height: [48],
  id: ['f12', 12],
  identity: ['8123'],
  ids: ['34'],
  importId: ['k3yk3yk3yk3yk3yk'],
  copyId: ['k3yk3yk3yk3yk3yk'],
  itemIdStr: ['s0f12'],
  itemIdStrs: ['s0f12'],
  key: ['k3yk3yk3yk3yk3yk3yk3yk3yk3yk3yk3', '2026-11'],
  keyword: ['合同'],
  lastIdentity: ['8122'],
  title: ['系统周六维护'],
  mail: ['lin.hao@example.com'],
  linkToken: ['x7Kp2mQ9vRt4Wn8b'],
  newKey: [serverKey],
  publicKey: [serverKey],
  serverName: ['北京分公司'],
  targetServerCode: ['beijing', ''],
  targetName: ['北京研究院'],
  pack: ['{}'],
  signToken: ['Zx7Kp2mQ9vRt4Wn8bT5sJ1hL6dFc0yAe'],
  toArray: [['wang@example.com']],
  linkCode: ['K7M2X9PQ4RTW8YBC'],
  linkId: [0, 56],
  linkIdArray: [[]],
  linkName: ['合同.docx'],
  msg: [''],
  name: ['合同.docx', '2026-11-20T16-45-00.000Z'],
  newPassword: ['Spring#2027'],
  nonce: ['00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'],
  oldPassword: ['Autumn#2026'],
  order: ['asc'],
  parentFolderId: [34],
  parentId: [34],
  partNumber: [1],
  partSize: [8_388_608],
  password: ['Autumn#2026'],
  path: ['项目/2026'],
  phone: ['+86 138 0000 0000'],
  pathList: [['项目/2026', '项目/2027']],
  previewKey: ['12-1'],
  proof: [sha256, 'A'.repeat(86)],
  reason: ['客户资料外泄的调查'],
  result: [-1],
  rights: [510],
  rows: [60, [['林夏', 'linxia', '市场部', '经理', 'linxia@example.com', '', '', '', '']]],
  sha256: [sha256],
  signature: ['A'.repeat(43), 'A'.repeat(86)],
  sort: ['name'],
  tagId: [3],
  tagIds: ['3'],
  tagName: ['合同'],
  tagNames: [['合同']],
  targetFolderId: [35],
  to: ['lin.hao@example.com', serverKey],
  total: [1],
  uploadId: ['34-AbCdEfGhIjKlMnOpQrStUvWx'],
  urls: [['ldaps://dc01.huaxin.example']],
  url: ['/services2/preview/content?fileId=12&access_token=t1ck3t'],
  userId: [7],
  userName: ['lin.hao'],
  remindId: [8123],
  numbers: ['12,13'],
  days: ['1763913600000,1764000000000'],
  emoji: ['👍'],
  uuid: ['0b7d2b0e-6a5f-4c3a-9f4e-2f6f0c1d7a55'],
  version: [1, '6.1.0'],
  width: [130],
}
const times = /(?:^time|^timestamp|Time|At|Until)$/

/** The description of an input; empty if nothing describes it. */
export function meaningOf(name: string, schema: Json | undefined): string {
  return textOf(schema?.['description']) || (meaningOfInput(name) ?? '')
}

/** An example value that a schema accepts. `named` are the schemas it may refer to. */
export function exampleOf(schema: Json, named: Readonly<Record<string, Json>>, name = ''): unknown {
  const reference = schema['$ref']
  if (typeof reference === 'string')
    return exampleOf(named[reference.slice(reference.lastIndexOf('/') + 1)] ?? {}, named)
  if ('const' in schema) return schema['const']
  const { type } = schema
  const known = [...(usual[name] ?? []), ...(times.test(name) ? [time] : [])].find((value) => takes(schema, value))
  if (known !== undefined) return known
  if ('default' in schema) return schema['default']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  const choice = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined
  if (choice !== undefined) return exampleOf(choice[0] ?? {}, named, name)
  if (type === 'object') return exampleOfObject(schema, named)
  if (type === 'array')
    return Number(schema['maxItems'] ?? 1) > 0 ? [exampleOf(schema['items'] as Json, named, name)] : []
  if (type === 'integer' || type === 'number') return Math.max(0, Number(schema['minimum'] ?? 0))
  if (type === 'boolean') return false
  if (type === 'string') return ''
  return null
}

function exampleOfObject(schema: Json, named: Readonly<Record<string, Json>>): Json {
  const required = new Set((schema['required'] ?? []) as string[])
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
  return Object.fromEntries(
    properties.filter(([field]) => required.has(field)).map(([field, part]) => [field, exampleOf(part, named, field)]),
  )
}

/** Whether a usual value fits a field: its type, and the limits of a simple schema. */
function takes(schema: Json, value: unknown): boolean {
  const type = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value
  if (schema['type'] !== type) return false
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value)) return false
  if (typeof value === 'string') {
    const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
    return (
      (pattern === undefined || new RegExp(textOf(pattern)).test(value)) &&
      (schema['format'] !== 'uri' || URL.canParse(value)) &&
      value.length >= Number(minLength) &&
      value.length <= Number(maxLength)
    )
  }
  if (typeof value === 'number') {
    return value >= Number(schema['minimum'] ?? value) && value <= Number(schema['maximum'] ?? value)
  }
  if (Array.isArray(value)) return value.every((one) => takes(schema['items'] as Json, one))
  return type === 'object'
}
