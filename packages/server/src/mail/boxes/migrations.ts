// The tables of mail: mailboxes, their folders and mails, drafts and mails on their way ([R289]-[R291]).
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const mailMigration: Migration = {
  async up(db: Kysely<never>) {
    await sql`
      create table mailbox (
        id bigint generated always as identity primary key,
        account_id bigint not null references account on delete cascade,
        address text not null,
        login_name text not null,
        sender_name text not null,
        protocol text not null,
        imap_host text not null, imap_port int not null,
        pop_host text not null, pop_port int not null,
        smtp_host text not null, smtp_port int not null,
        exchange_url text not null,
        ssl boolean not null,
        fetches boolean not null,
        is_default boolean not null,
        password text not null,
        state text not null default 'new',
        problem text not null default '',
        said text not null default '',
        fetched_at bigint not null default 0,
        next_fetch bigint not null,
        created_at bigint not null
      )`.execute(db)
    await sql`create unique index mailbox_address on mailbox (account_id, lower(address))`.execute(db)
    await sql`create index mailbox_due on mailbox (next_fetch) where fetches and state <> 'signIn'`.execute(db)
    await sql`
      create table mail_folder (
        id bigint generated always as identity primary key,
        mailbox_id bigint not null references mailbox on delete cascade,
        path text not null,
        name text not null,
        role text not null,
        uid_validity text not null default '',
        uid_high bigint not null default 0,
        uid_low bigint not null default 0,
        unique (mailbox_id, path)
      )`.execute(db)
    await sql`
      create table mail (
        id bigint generated always as identity primary key,
        account_id bigint not null references account on delete cascade,
        mailbox_id bigint not null references mailbox on delete cascade,
        folder_id bigint not null references mail_folder on delete cascade,
        remote_key text not null,
        blob_id bigint not null references blob,
        message_id text not null,
        thread text not null,
        refs jsonb not null,
        from_name text not null,
        from_address text not null,
        people jsonb not null,
        subject text not null,
        sent_at bigint not null,
        received_at bigint not null,
        size bigint not null,
        is_read boolean not null,
        is_starred boolean not null,
        is_answered boolean not null,
        attachments jsonb not null,
        summary text not null,
        words text[] not null,
        search_text text not null,
        problem text not null,
        changed_at bigint not null default 0,
        unique (folder_id, remote_key)
      )`.execute(db)
    await sql`create index mail_by_time on mail (folder_id, received_at desc, id desc)`.execute(db)
    await sql`create index mail_unread on mail (folder_id, received_at desc, id desc) where not is_read`.execute(db)
    await sql`create index mail_starred on mail (account_id, received_at desc, id desc) where is_starred`.execute(db)
    await sql`create index mail_thread on mail (mailbox_id, thread)`.execute(db)
    await sql`create index mail_message on mail (mailbox_id, message_id)`.execute(db)
    await sql`create index mail_blob on mail (blob_id)`.execute(db)
    await sql`create index mail_account on mail (account_id)`.execute(db)
    await sql`create index mail_words on mail using gin (words)`.execute(db)
    await sql`
      create table mail_trust (
        account_id bigint not null references account on delete cascade,
        address text not null,
        primary key (account_id, address)
      )`.execute(db)
    await sql`
      create table mail_change (
        id bigint generated always as identity primary key,
        mailbox_id bigint not null references mailbox on delete cascade,
        folder_id bigint not null references mail_folder on delete cascade,
        uid_validity text not null,
        mail_id bigint not null,
        remote_key text not null,
        action text not null,
        target_id bigint references mail_folder on delete cascade
      )`.execute(db)
    await sql`create index mail_change_box on mail_change (mailbox_id, id)`.execute(db)
    await sql`create index mail_change_folder on mail_change (folder_id)`.execute(db)
    await sql`create index mail_change_target on mail_change (target_id)`.execute(db)
    await sql`
      create table outgoing_mail (
        id bigint generated always as identity primary key,
        account_id bigint not null references account on delete cascade,
        mailbox_id bigint not null references mailbox on delete cascade,
        version int not null,
        state text not null,
        people jsonb not null,
        subject text not null,
        html text not null,
        text text not null,
        reply_of bigint references mail on delete set null,
        is_forward boolean not null,
        message_id text not null,
        send_at bigint not null default 0,
        problem text not null default '',
        said text not null default '',
        refused jsonb not null default '[]',
        modified_at bigint not null,
        created_at bigint not null
      )`.execute(db)
    await sql`create index outgoing_mail_list on outgoing_mail (account_id, state, modified_at desc, id desc)`.execute(
      db,
    )
    await sql`create index outgoing_mail_due on outgoing_mail (send_at) where state = 'queued'`.execute(db)
    await sql`
      create index outgoing_mail_on_way on outgoing_mail (modified_at) where state in ('handing', 'accepted')`.execute(
      db,
    )
    await sql`create index outgoing_mail_box on outgoing_mail (mailbox_id)`.execute(db)
    await sql`create index outgoing_mail_reply on outgoing_mail (reply_of)`.execute(db)
    await sql`
      create table mail_attachment (
        id bigint generated always as identity primary key,
        outgoing_id bigint not null references outgoing_mail on delete cascade,
        blob_id bigint not null references blob,
        item_id bigint not null default 0,
        name text not null,
        type text not null,
        size bigint not null
      )`.execute(db)
    await sql`create index mail_attachment_mail on mail_attachment (outgoing_id)`.execute(db)
    await sql`create index mail_attachment_blob on mail_attachment (blob_id)`.execute(db)
  },
}
