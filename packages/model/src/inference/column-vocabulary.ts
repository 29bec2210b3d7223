/**
 * The words of column names in the usual languages of tables: English, German, French, Spanish, Portuguese,
 * Italian, Dutch, Chinese and Japanese. Words are singular and without accents, as `wordsOf` returns them;
 * `_` joins the words of a phrase.
 */
export interface Vocabulary {
  readonly words: ReadonlySet<string>;
  /** Endings of longer words: `nummer` of `Kundennummer`, `sales` of `totalsales`, `编号` of `客户编号`. */
  readonly endings: readonly string[];
}

function vocabulary(words: string, endings = ''): Vocabulary {
  const list = (text: string) =>
    text
      .split(/\s+/)
      .filter(word => word !== '')
      .map(word => word.replaceAll('_', ' '));
  return { words: new Set(list(words)), endings: list(endings) };
}

/** Words at the end of a name that mark numbers as identifiers. */
export const identifiers = vocabulary(
  `id key uuid guid pk fk sk code number num nr nbr no identifier index_level row_index row idx unnamed rownames seq sequence serial rank ranking offset name version
  zip zipcode postal postcode pincode fips geoid wac iata icao tz timezone flight tailnum phone telephone tel fax ext extn extension
  isin isbn issn ean gtin upc sku iban bic vin npi ssn ein cik easting northing matricule siret siren insee naf ape cedula dni nif nie rut cpf cnpj cep
  plz postleitzahl blz durchwahl vorwahl telefon kennung kennziffer schlussel schluessel konto nummer identifiant numero
  identificador codigo telefono movil telefone identificativo codice partita_iva telefoonnummer`,
  `nummer nr kennung kennziffer schlussel schluessel postleitzahl zipcode postcode phonenumber
  编号 编码 代码 号码 序号 学号 工号 单号 账号 帐号 卡号 邮编 电话 手机 手机号 身份证 番号 コード 電話 編號 代碼 號碼 郵遞區號`,
);
/**
 * Words at the beginning of a name that mark identifiers, as in Romance languages: `code postal`, `numero
 * cliente`, `ID Kunde`.
 */
export const leadingIdentifiers = vocabulary(
  'id rownames identifiant identificador codigo codice matricule numero n° kennung nr nummer',
);
export const leadingCodes = vocabulary(
  'postal client insee produit article pays commune departement region barre magasin naf ape',
);
/** Things with numbers, for names that join a thing with `id` or `no`: `customerid`, `orderno`. */
export const things =
  vocabulary(`customer cust client user member person patient student pupil teacher employee emp staff worker driver agent seller vendor supplier partner
  contact account acct company firm dept department order invoice receipt ticket case claim policy contract transaction trans txn payment product prod item article part lot batch
  asset device sensor machine vehicle car train trip ride route stop station store shop branch site location loc place region district zone city county state country category
  type group class team player game match season event session visit page post thread comment message film movie title track album artist song book author record object parent
  node edge job task project run test sample study subject participant respondent house building room unit parcel serial model phone postal kunden auftrags artikel`);
/** Things whose word alone names their number, if the numbers are large: `Order`, `Mobile`. */
export const numberedThings = vocabulary(
  'mobile cell cellphone account acct cuenta conto compte order invoice ticket customer client user patient kunde auftrag rechnung pedido factura cliente cp cap',
);

export const years = vocabulary(
  'year yr fy fyear jahr annee ano anio anno jaar ejercicio exercice vintage',
  'jahr 年 年份 年度',
);
export const months = vocabulary('month monat mois mes mese maand', '月 月份');
export const otherCalendar = vocabulary(
  `week isoweek quarter qtr day hour minute dow doy weekday date week_of_year day_of_week day_of_month day_of_year hour_of_day woche kw quartal tag stunde
  semaine trimestre jour heure semana dia hora settimana giorno ora dag uur`,
  'woche wochentag 季度 星期 周 小时 時',
);
/**
 * Words that may follow a part of the calendar without changing its meaning: `month_num`, `yearID`, `year
 * built`.
 */
export const calendarTails = vocabulary(
  'id key no num nr nbr number code sk built founded opened made established started renovated constructed',
);

/** Quantities that add up. */
export const amounts = vocabulary(
  `amount amt total sum subtotal qty quantity revenue turnover proceeds sales cost count cnt headcount viewcount likecount units bytes volume votes orders visits clicks impressions views rides trips income earnings
  profit loss losses freight gross net population killed injured struck jobs people fatalities deaths births cases permit handgun long_gun multiple demand cogs tax usage
  spend expense expenditure budget payments donations refunds attendance passengers attendees shipments downloads installs
  umsatz umsatze umsaetze erlos erloes menge anzahl betrag betraege kosten gewinn verlust summe gesamt stuck stueck stuckzahl einwohner besucher
  montant quantite qte vente cout recette benefice chiffre_d_affaires nombre effectif depense
  importe cantidad ventas ingreso coste costo monto beneficio ganancia gasto poblacion quantidade receita vendas custo lucro quantita importo ricavo vendite fatturato aantal bedrag omzet`,
  `revenue revenues sales quantity income profit population umsatz umsatze umsaetze erlos erlose erloese menge anzahl betrag betrage kosten gewinn summe stuckzahl
  金额 数量 销售额 销量 收入 成本 利润 总计 合计 总额 总数 营业额 人数 次数 件数 金額 売上 売上高 費用 數量 銷售額`,
);
/** Quantities of one thing or moment, whose sum is meaningless. */
export const levels = vocabulary(
  `avg average mean median rate ratio percent percentage pct share per index score rating price unit_cost temp temperature speed age milliseconds min max minimum maximum std stdev stddev
  preis anteil quote durchschnitt mittelwert temperatur alter prozent prix taux moyenne moyen pourcentage precio tasa promedio edad porcentaje preco taxa idade prezzo tasso eta prijs leeftijd`,
  'preis quote temperatur 价格 单价 均价 平均 平均值 率 比例 占比 温度 年龄 评分 得分 分数 価格 単価 割合 年齢 價格 單價 年齡',
);
/** Parts of a hundred … */
export const percents = vocabulary(
  'percent percentage pct prozent pourcentage porcentaje percentuale percentagem procent',
  'prozent 百分比 百分率',
);
/** … and of a whole, if they are between 0 and 1. */
export const fractions = vocabulary(
  `percent percentage pct share ratio rate discount margin probability likelihood
  prozent anteil quote rabatt marge wahrscheinlichkeit pourcentage taux remise probabilite porcentaje tasa descuento margen`,
  'prozent anteil quote rabatt marge 百分比 百分率 率 比例 占比 折扣 割合',
);
/** Averages, which are measures even with few distinct values. */
export const means = vocabulary(
  'avg average mean median durchschnitt mittelwert moyenne promedio',
  'durchschnitt 平均 平均值 均价 平均値',
);
/** Words for kinds that classify rows: response status, districts, classes. */
export const kinds = vocabulary(
  `status state type kind class category group cluster stage phase district ward precinct zone region
  direction method mode port code version name`,
);

/** Numbers that grade: few of them, and each is known. */
export const grades = vocabulary('rating score star grade cylinder door bedroom bathroom room gear floor');
/** Numbers of other rows, whose names say how they are related: `ReportsTo`, `ship_via`. */
export const references = vocabulary(
  'reports_to reportsto via manager parent supervisor referred_by assigned_to',
);

export const latitudes = vocabulary(
  'lat latitude latitud latitudine breitengrad y_coord ycoord y_coordinate',
  '纬度 緯度',
);
export const longitudes = vocabulary(
  'lon lng longitude longitud longitudine langengrad laengengrad x_coord xcoord x_coordinate',
  '经度 經度 経度',
);
/** Words that may follow a coordinate: `latitude_deg`, `lat_1`. */
export const coordinateTails = vocabulary('deg degree dd decimal wgs84 1 2');

export const clockTimes = vocabulary('time hhmm uhrzeit clock', 'uhrzeit 时间 時刻');
/** Durations, as opposed to times of day. */
export const durations = vocabulary(
  `air elapsed response travel wait waiting process processing run running lead lap load loading cook cooking prep delivery cycle down up idle reaction execution exec transit
  handling handle resolution play drive driving avg average mean median total min max`,
);

/** Events whose time is one of the day, also after midnight, as in timetables: `arrival_time` 25:10:00. */
export const timedEvents = vocabulary(
  `arrival arrive departure depart start end begin open opening close closing pickup dropoff boarding sunrise sunset
  ankunft abfahrt beginn ende arrivee depart llegada salida arrivo partenza`,
);

/** Money, where a name says so without a sign of a currency: what comes in … */
export const proceeds = vocabulary(
  `revenue turnover proceeds sales amount amt income earnings gross net payments donations fare fee charge price_paid
  umsatz umsatze umsaetze erlos erloese betrag betraege montant vente chiffre_d_affaires recette importe venta ventas ingreso
  receita vendas importo vendite ricavo fatturato bedrag omzet`,
  `revenue revenues umsatz umsatze umsaetze erlos erlose erloese betrag betrage 金额 销售额 收入 营业额 金額 売上 売上高 銷售額`,
);
/** … and what goes out, or is left. */
export const costs = vocabulary(
  `cost freight cogs tax spend expense expenditure budget refunds profit loss losses tip tips toll tolls
  kosten gewinn verlust cout benefice depense coste costo beneficio ganancia gasto custo lucro`,
  'kosten gewinn verlust 成本 利润 費用',
);
/** Amounts that machines count: their sum is rarely what a table is about. */
export const technicalAmounts = vocabulary(
  'bytes milliseconds ms seconds minutes duration time size length usage',
);

/**
 * How to reach or find a person or thing, or what is told of it at length: nothing to compare rows by.
 */
export const contacts = vocabulary(
  `address addr address1 address2 street strasse rue calle via_indirizzo phone telephone tel fax mobile cell extension ext extn
  zip zipcode postal postcode postal_code plz cep cap
  email e_mail mail url uri link href website site_url homepage home_page web photo photo_path picture picture_url image image_url
  thumbnail avatar icon
  note notes comment comments description desc remark remarks memo bio abstract body user_agent useragent referrer referer
  telefon telefono adresse direccion endereco indirizzo bemerkung beschreibung`,
  'strasse adresse telefon postleitzahl 地址 电话 邮箱 邮编 备注 描述 電話 住所',
);
/** Parts of a person's name that many persons share … */
const givenNames = vocabulary(
  `first_name firstname given_name forename fname middle_name middlename initial initials vorname prenom title_of_courtesy
  courtesy salutation anrede suffix`,
  'vorname',
);
/** … and that stands for the person, where there is no better. */
const familyNames = vocabulary('last_name lastname surname family_name lname nachname', 'nachname');
/** Places, each of which lies in one of the next larger. */
const places = vocabulary(
  `country nation continent region subregion state province county city town village municipality district borough precinct ward
  neighborhood neighbourhood zone territory division
  land bundesland stadt pays ville departement pais ciudad provincia paese citta comune`,
  '国家 省份 城市 地区',
);
const countries = vocabulary(
  'country nation country_code countrycode country_name iso_country land pays pais paese',
  '国家',
);
const usStates = vocabulary('state us_state state_code state_name st');
/** Words that say how a thing is told, not which thing. */
const tellingWords = new Set(
  'id key code name no num number type kind group class label title desc'.split(' '),
);

export const isGivenName = (name: string) => endsWith(name, givenNames);
export const isPartOfName = (name: string) => endsWith(name, familyNames);
export const isPlaceName = (name: string) => endsWith(withoutTail(name, placeTails), places);
export const isCountryName = (name: string) => endsWith(name, countries);
export const isStateName = (name: string) => endsWith(name, usStates);
/**
 * Whether a name says that its values reach, locate or describe one thing: `Phone`, `Ship Address`, `Notes`.
 */
export const isContact = (name: string) => endsWith(withoutTail(name, contactTails), contacts);

const placeTails: Vocabulary = { words: new Set(['id', 'code', 'name', 'no', 'number']), endings: [] };
const contactTails: Vocabulary = {
  words: new Set(['1', '2', '3', 'line', 'number', 'no', 'nr', 'code', 'path']),
  endings: [],
};

/** The words of a column's name that say which thing it is of: `ship` of `ship_name`. */
export function ownWords(name: string): readonly string[] {
  return wordsOf(name)
    .split(' ')
    .filter(word => !tellingWords.has(word));
}

/**
 * A column's name in lower-case words without accents: `CustomerID` becomes `customer id`, `N° Client`
 * becomes `no client`.
 */
export function wordsOf(name: string): string {
  return (
    name
      .replace(/\bn[°º]/gi, 'numero ')
      .replace(/\p{L}\s*#\s*$/u, letter => letter.replace('#', ' no'))
      .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .replace(/ß/g, 'ss')
      // Only Latin letters: in other scripts, a mark that looks like an accent changes the letter.
      .replace(/[À-ɏ]/g, letter => letter.normalize('NFD').replace(/\p{M}/gu, ''))
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim()
      .toLowerCase()
  );
}

/** Whether a name contains a word of a vocabulary, singular or plural. */
export function mentions(name: string, { words, endings }: Vocabulary): boolean {
  const parts = name.split(' ');
  return parts.some(
    (part, i) =>
      singulars(part).some(one => words.has(one)) ||
      isCompound(part, endings) ||
      [2, 3].some(length => words.has(parts.slice(i, i + length).join(' '))),
  );
}

/** Whether a name ends with a word of a vocabulary, exactly as in the name. */
export function endsWith(name: string, { words, endings }: Vocabulary): boolean {
  const parts = name.split(' ');
  return (
    [1, 2, 3].some(length => words.has(parts.slice(-length).join(' '))) ||
    endings.some(ending => isHan(ending) && parts.some(part => part.endsWith(ending))) ||
    isCompound(parts.at(-1)!, endings)
  );
}

/** Removes the words of a vocabulary from the end of a name, but never its first word. */
export function withoutTail(name: string, { words }: Vocabulary): string {
  const parts = name.split(' ');
  while (parts.length > 1 && words.has(parts.at(-1)!)) parts.pop();
  return parts.join(' ');
}

function isCompound(part: string, endings: readonly string[]): boolean {
  return endings.some(ending => part.endsWith(ending) && (isHan(ending) || part.length > ending.length + 1));
}

const isHan = (text: string) => /[\p{Script=Han}\p{Script=Katakana}]/u.test(text);

function singulars(word: string): readonly string[] {
  const ends: readonly (readonly [string, string])[] = [
    ['ies', 'y'],
    ['es', ''],
    ['s', ''],
    ['en', ''],
    ['e', ''],
  ];
  return [
    word,
    ...ends.flatMap(([end, by]) =>
      word.endsWith(end) && word.length - end.length >= 3 ? [word.slice(0, -end.length) + by] : [],
    ),
  ];
}
