import pg from 'pg';

/** A message of another server, from {@link Notifications.send} or from a trigger of the state database. */
export interface Notification {
  /** Names the server that caused it. */
  readonly from: string;
  /** The table that it changed. */
  readonly table?: string;
  /** What it sent, unchecked: anyone who may connect to the database can send this. */
  readonly sent?: unknown;
}

export interface Listener {
  /** Called for each message of another server, also for its beats, which carry nothing. */
  readonly onMessage: (notification: Notification) => void;
  /** Called when messages may have been missed. */
  readonly onGap: () => void;
}

/** How often each server sends a message, so that it is seen to be there. */
export const beatMs = 2000;
const connectMs = 4000;
/** PostgreSQL takes fewer than 8,000 bytes. */
const maxNotificationBytes = 7900;

/**
 * Messages between the servers that use one state database on PostgreSQL, by LISTEN and NOTIFY.
 *
 * Each server also sends itself a beat. One that does not arrive means that messages are lost, because the
 * connection is broken or goes through a pooler that does not pass them on: then every beat counts as a gap.
 */
export class Notifications {
  readonly #config: pg.ClientConfig;
  readonly #channel: string;
  readonly #name: string;
  #listener: Listener | undefined;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isBeating = false;
  #isClosed = false;
  #sent = 0;
  #heard = 0;
  /** Messages are sent one after another, as the driver wants it. */
  #sending: Promise<void> = Promise.resolve();

  /** @param name names this server; also its connections' `application_name`, by which triggers know it */
  constructor(
    config: pg.ClientConfig,
    { channel, name }: { readonly channel: string; readonly name: string },
  ) {
    this.#config = { ...config, connectionTimeoutMillis: connectMs, query_timeout: connectMs };
    this.#channel = channel;
    this.#name = name;
  }

  /** Begins to listen. A connection that cannot be made is tried again with each beat. */
  async start(listener: Listener): Promise<void> {
    this.#listener = listener;
    await this.#beat();
    this.#timer = setInterval(() => void this.#beat(), beatMs).unref();
  }

  /** Sends a message to the other servers, which may miss it. */
  async send(sent: unknown): Promise<void> {
    await this.#notify({ from: this.#name, sent }).catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#client?.end().catch(() => {});
  }

  async #beat(): Promise<void> {
    if (this.#isBeating || this.#isClosed) return;
    this.#isBeating = true;
    try {
      if (this.#heard < this.#sent) this.#listener?.onGap();
      // Two beats in a row were lost.
      if (this.#sent - this.#heard >= 2) this.#disconnect();
      if (!this.#client) {
        await this.#connect();
        this.#heard = this.#sent;
        this.#listener?.onGap();
      }
      this.#sent++;
      await this.#notify({ from: this.#name, beat: this.#sent });
    } catch {
      this.#disconnect();
    } finally {
      this.#isBeating = false;
    }
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.#config);
    client.on('error', () => {});
    client.on('end', () => {
      if (this.#client === client) this.#client = undefined;
    });
    client.on('notification', ({ payload }) => this.#hear(payload));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(this.#channel)}`);
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    if (this.#isClosed) await client.end();
    else this.#client = client;
  }

  /** Does not wait for the end of a connection that may be dead. */
  #disconnect(): void {
    void this.#client?.end().catch(() => {});
    this.#client = undefined;
  }

  async #notify(message: object): Promise<void> {
    const payload = JSON.stringify(message);
    if (Buffer.byteLength(payload) > maxNotificationBytes) return;
    const sent = this.#sending.then(async () => {
      await this.#client?.query('select pg_notify($1, $2)', [this.#channel, payload]);
    });
    // Those that wait behind a message that failed are not held up by the same connection, one after another.
    this.#sending = sent.catch(() => this.#disconnect());
    await sent;
  }

  #hear(payload = ''): void {
    let message: Notification & { readonly beat?: unknown };
    try {
      message = JSON.parse(payload) as typeof message;
    } catch {
      return;
    }
    if (typeof message?.from !== 'string') return;
    if (message.from !== this.#name) this.#listener?.onMessage(message);
    else if (typeof message.beat === 'number') this.#heard = Math.max(this.#heard, message.beat);
  }
}
