import type { Locator, Page } from 'playwright-core'

/** The files view with what stands around it: tree, search, uploads, toasts, dialogs. */
export class FilesPage {
  readonly page: Page
  readonly grid: Locator

  constructor(page: Page) {
    this.page = page
    this.grid = page.getByRole('grid')
  }

  /** The row of an item, in the files and in the bin. */
  row(name: string): Locator {
    return this.grid.getByRole('row').filter({ has: this.page.getByTitle(name, { exact: true }) })
  }

  /** The rows that are drawn, from top to bottom, without the header. */
  rows(): Locator {
    return this.grid.locator('[aria-rowindex]')
  }

  /** The names of the drawn rows. */
  names(): Promise<string[]> {
    return this.rows().evaluateAll((rows) =>
      rows
        .toSorted((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
        .map((row) => row.querySelector('[title]')?.getAttribute('title') ?? ''),
    )
  }

  /** The folder that is shown, once it is. */
  folder(name: string): Locator {
    return this.page.getByRole('grid', { name, exact: true })
  }

  async open(name: string): Promise<void> {
    await this.row(name).getByTitle(name, { exact: true }).dblclick()
  }

  async openFolder(name: string): Promise<void> {
    await this.open(name)
    await this.folder(name).waitFor()
  }

  /** Goes to a library or folder that the tree shows. */
  async goTo(name: string): Promise<void> {
    await this.page.getByRole('treeitem', { name, exact: true }).click()
    await this.folder(name).waitFor()
  }

  async select(...names: string[]): Promise<void> {
    for (const [i, name] of names.entries()) {
      const modifiers: 'Control'[] = i === 0 ? [] : ['Control']
      await this.row(name).getByTitle(name, { exact: true }).click({ modifiers })
    }
  }

  /** Chooses an entry of a row's menu. */
  async choose(name: string, entry: string): Promise<void> {
    await this.row(name).getByTitle(name, { exact: true }).click({ button: 'right' })
    await (await this.entry(entry)).click()
  }

  /** An entry of the menu that is open, or of one that it leads to, which is opened then. */
  async entry(name: string | RegExp): Promise<Locator> {
    const menu = this.page.getByRole('menu')
    await menu.first().waitFor()
    const entry = menu.getByRole('menuitem', { name, exact: true })
    for (const further of await menu.locator('[aria-haspopup]').all()) {
      if ((await entry.count()) > 0) break
      await further.click()
      // It may have been opened by the pointer that came over it as well.
      await further.and(this.page.locator('[aria-expanded=true]')).waitFor()
    }
    return entry
  }

  /** Comes when the strip over the rows tells that so many are selected. */
  async expectChosen(count: number): Promise<void> {
    const words = `已选 ${count.toLocaleString('zh-CN')} 项`
    await this.page
      .getByRole('toolbar')
      .getByText(new RegExp(`^${words}( ·|$)`))
      .waitFor()
  }

  /** The field in which the selected row is named. */
  get nameField(): Locator {
    return this.page.getByRole('textbox', { name: '重命名' })
  }

  get search(): Locator {
    return this.page.getByRole('combobox', { name: '搜索文件和文件夹' })
  }

  /** Opens the palette, whatever has the keyboard. */
  async openSearch(): Promise<Locator> {
    await this.page.getByRole('button', { name: /^搜索名称、内容、同事或命令/ }).click()
    return this.search
  }

  /** What the search found under this name. */
  hit(name: string): Locator {
    return this.page.getByRole('option').filter({ has: this.page.getByTitle(name, { exact: true }) })
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name })
  }

  get toasts(): Locator {
    return this.page.getByRole('region', { name: '通知' })
  }

  /** The panel of transfers. */
  get transfers(): Locator {
    return this.page.getByRole('region', { name: '传输', exact: true })
  }

  /** Drops files and folders of the disk on the list, as the desktop does. */
  async drop(...paths: string[]): Promise<void> {
    // Near the lower edge of the files view: below the rows, and in an empty folder on what says that it is empty.
    const box = await this.page.getByRole('main').boundingBox()
    if (box === null) throw new Error('there is nothing to drop on')
    const at = { x: box.x + box.width / 2, y: box.y + box.height - 80 }
    const data = { items: [], files: paths, dragOperationsMask: 1 }
    const client = await this.page.context().newCDPSession(this.page)
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await client.send('Input.dispatchDragEvent', { type, ...at, data })
    }
    await client.detach()
  }

  /** Uploads through the file field behind the button. */
  async chooseFiles(files: { name: string; mimeType: string; buffer: Buffer }[] | string[]): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser')
    await this.page.getByRole('button', { name: '上传', exact: true }).click()
    await this.page.getByRole('menuitem', { name: '上传文件', exact: true }).click()
    await (await chooser).setFiles(files)
  }
}
