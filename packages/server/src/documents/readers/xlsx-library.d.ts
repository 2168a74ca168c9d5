// The used part of the library that reads workbooks before 2007, and in tests the files that this product writes; its own
// types include everything that it writes.
declare module '@e965/xlsx' {
  export interface Cell {
    readonly t: string
    readonly v?: string | number | boolean
    /** The formatted text. */
    readonly w?: string
    /** The comments on it. */
    readonly c?: readonly { readonly t?: string }[]
  }
  export interface Range {
    readonly s: { readonly r: number; readonly c: number }
    readonly e: { readonly r: number; readonly c: number }
  }
  export interface Sheet {
    readonly [ref: `A${number}`]: Cell | undefined
    readonly '!data'?: readonly (readonly (Cell | undefined)[] | undefined)[]
    readonly '!merges'?: readonly Range[]
    readonly '!cols'?: readonly ({ readonly wpx?: number; readonly hidden?: boolean } | undefined)[]
    readonly '!rows'?: readonly ({ readonly hpx?: number; readonly hidden?: boolean } | undefined)[]
  }
  export interface Book {
    readonly SheetNames: readonly string[]
    readonly Sheets: Readonly<Record<string, Sheet>>
    readonly Workbook?: { readonly Sheets?: readonly { readonly Hidden?: 0 | 1 | 2 }[] }
  }
  export function read(
    bytes: Uint8Array,
    how: {
      readonly type: 'buffer'
      readonly dense: true
      readonly cellFormula: false
      readonly cellHTML: false
      readonly cellStyles: boolean
    },
  ): Book
  export function read(bytes: Uint8Array): Book
  export function write(book: Book, how: { readonly type: 'buffer'; readonly bookType: 'biff8' | 'xlsx' }): Buffer
  export const utils: {
    aoa_to_sheet(rows: readonly (readonly unknown[])[]): Sheet
    book_new(): Book
    sheet_to_json(sheet: Sheet, how: { readonly header: 1 }): unknown[][]
    sheet_add_aoa(sheet: Sheet, rows: readonly (readonly unknown[])[]): void
    book_append_sheet(book: Book, sheet: Sheet, name: string): void
  }
  export const CFB: {
    read(bytes: Uint8Array, how: { readonly type: 'buffer' }): unknown
    find(file: unknown, path: string): { readonly content?: Uint8Array } | null
  }
}
