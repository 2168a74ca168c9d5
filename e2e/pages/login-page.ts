import type { Page } from 'playwright-core'
import { FilesPage } from './files-page.ts'

/** The login page, in Chinese. */
export class LoginPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Signs in with the form; resolves with the files view. */
  async signIn(account: string, password: string): Promise<FilesPage> {
    await this.page.getByLabel('账号').fill(account)
    await this.page.getByLabel('密码', { exact: true }).fill(password)
    await this.page.getByRole('button', { name: '登录', exact: true }).click()
    const files = new FilesPage(this.page)
    await files.grid.waitFor()
    return files
  }
}
