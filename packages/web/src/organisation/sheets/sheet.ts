// Tables of users as files: Excel workbooks and CSV in any common encoding ([R347]).
import { maxImportRows, type SheetColumn, sheetColumns } from '@cloudoc/contract'
import Papa from 'papaparse'

/** Why a file is rejected. */
export type SheetFault = 'tooLarge' | 'tooMany' | 'noSheet' | 'noColumns' | 'empty' | 'slow'

export class SheetError extends Error {
  override readonly name = 'SheetError'
  readonly fault: SheetFault

  constructor(fault: SheetFault) {
    super(fault)
    this.fault = fault
  }
}

/** Maximum file size in bytes; 20,000 users take one or two million. */
export const mostBytes = 20 * 1024 * 1024
/**
 * Maximum uncompressed size of a workbook in bytes: a few thousand compressed bytes may expand to more than the memory.
 */
export const mostUnfolded = 256 * 1024 * 1024

/** Accepted column headings, without spaces and in lower case. */
const aliases: Readonly<Record<SheetColumn, readonly string[]>> = {
  accountName: ['姓名', '名字', '成员', '员工姓名', '显示名', 'name', 'fullname', 'displayname'],
  account: [
    '账号',
    '帐号',
    '登录名',
    '登录账号',
    '用户名',
    '工号',
    'account',
    'accountname',
    'username',
    'login',
    'userid',
  ],
  group: ['部门', '所属部门', '部门路径', '组织', 'department', 'group', 'organization'],
  title: ['职位', '岗位', '职务', 'position', 'title', 'jobtitle'],
  email: ['邮箱', '电子邮箱', '邮件', '电子邮件', 'email', 'e-mail', 'mail'],
  phone: ['手机', '手机号', '手机号码', '电话', 'phone', 'mobile', 'telephone'],
  level: ['密级', '涉密等级', 'secretlevel', 'level'],
  roles: ['角色', 'roles', 'role'],
  expiry: ['有效期', '到期日', '账号有效期', 'validuntil', 'expiry', 'expires'],
}

const folded = (header: string): string =>
  header
    .normalize('NFKC')
    .replace(/[*(].*$/, '')
    .replace(/\s/g, '')
    .toLowerCase()

/** A table of users, with its cells in column order. */
export interface PeopleSheet {
  readonly rows: string[][]
  /** The line number of each row in the file. */
  readonly lines: number[]
  /** The column each file column maps to; undefined if it is ignored. */
  readonly columns: readonly { readonly header: string; readonly column: SheetColumn | undefined }[]
}

/** Finds the first line that contains the column headings, and puts the cells in column order. */
export function readTable(table: readonly (readonly string[])[]): PeopleSheet {
  const isHead = (line: readonly string[]): boolean =>
    (['accountName', 'account'] as const).every((column) =>
      line.some((header) => aliases[column].includes(folded(header))),
    )
  // A title may precede the headings.
  const head = table.slice(0, 10).findIndex(isHead)
  if (table.every((line) => line.every((cell) => cell.trim() === ''))) throw new SheetError('empty')
  if (head < 0) throw new SheetError('noColumns')
  const taken = new Set<SheetColumn>()
  const columns = (table[head] ?? []).map((header) => {
    const column = sheetColumns.find((one) => !taken.has(one) && aliases[one].includes(folded(header)))
    if (column !== undefined) taken.add(column)
    return { header: header.trim(), column }
  })
  const rows: string[][] = []
  const lines: number[] = []
  for (const [n, line] of table.entries()) {
    if (n <= head || line.every((cell) => cell.trim() === '')) continue
    rows.push(
      sheetColumns.map((column) =>
        (line[columns.findIndex((one) => one.column === column)] ?? '').trim().slice(0, 500),
      ),
    )
    lines.push(n + 1)
    if (rows.length > maxImportRows) throw new SheetError('tooMany')
  }
  if (rows.length === 0) throw new SheetError('empty')
  return { rows, lines, columns }
}

/** Decodes the text of a file: UTF-8 if valid, otherwise the encoding Excel uses on a Chinese or any other Windows. */
export function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

export function readCsv(bytes: Uint8Array): string[][] {
  // Reads beyond the maximum, so that too many rows can be reported.
  const { data } = Papa.parse<string[]>(decode(bytes), { preview: maxImportRows + 20 })
  // A leading quote that protects a text from being read as a formula is removed.
  return data.map((line) => line.map((cell) => cell.replace(/^'(?=[=+\-@\t\r])/, '')))
}

/** CSV that Excel opens directly and in which no cell is a formula. */
export function writeCsv(table: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> {
  const text = Papa.unparse(table as string[][], { escapeFormulae: true, newline: '\r\n' })
  return new TextEncoder().encode(`\ufeff${text}`)
}
