import { describe, expect, test } from 'vitest';
import { wordsOf } from './column-words.ts';
import { meaningOf, type Meaning } from './guess-meaning.ts';
import type { ColumnProfile } from './table.ts';

const rows = 1000;
/** A column's name, its least and greatest value, how many of a thousand rows have one of their own (0.1), and its type where it is not whole numbers. */
type Case = readonly [name: string, min: number, max: number, distinctShare?: number, type?: ColumnProfile['type']];

const cases: Readonly<Partial<Record<Meaning, readonly Case[]>>> = {
  identifier: [
    // English, in every way of writing
    ['Customer ID', 12346, 18287, 0.4], ['customer_id', 1, 900, 0.3], ['CustomerID', 1, 900, 0.3], ['customerid', 1, 900, 0.3], ['customer id', 1, 900], ['CUST_NO', 100, 999], ['custnum', 100, 999], ['Customer #', 100, 999], ['Customer Number', 1000, 9999],
    ['order_no', 10248, 11077, 0.8], ['OrderNo', 10248, 11077], ['orderno', 10248, 11077], ['Invoice', 536365, 581587], ['InvoiceNo', 536365, 581587], ['Order', 10248, 11077], ['Ticket', 20000, 91000], ['id', 5, 100_000], ['ID_Kunde', 5, 900], ['trip_id', 100, 900], ['student_key', 1, 900], ['user_uuid', 1, 900],
    ['account_number', 40_000, 90_000], ['Account', 40_000, 90_000], ['acct', 40_000, 90_000], ['Mobile', 1.5e9, 1.8e9], ['phone', 2.01e9, 9.9e9], ['Phone Number', 2.01e9, 9.9e9], ['phone_ext', 100, 999], ['Extension', 428, 5467], ['ext', 10, 999], ['fax', 2.01e9, 9.9e9], ['telephone', 2.01e9, 9.9e9], ['tel', 2.01e9, 9.9e9],
    ['zip', 501, 99_950], ['ZipCode', 501, 99_950], ['zip_code', 501, 99_950], ['postal_code', 1000, 99_999], ['postcode', 800, 7999], ['Postal Code', 1040, 99_301], ['error_code', 1, 9000, 0.8], ['product_code', 1, 9000, 0.8], ['fips', 1001, 56_045], ['GEOID', 1001, 56_045], ['EAN', 4e12, 5e12], ['ISBN', 9.78e12, 9.79e12], ['SSN', 1e8, 9e8], ['row_number', 1, 1000], ['index', 0, 999], ['Unnamed: 0', 0, 999],
    ['part number', 10, 900], ['model_no', 10, 900], ['sku', 10_000, 90_000], ['npi', 1e9, 2e9], ['serial', 10_000, 90_000], ['rank', 1, 100], ['x_coord', 450_000, 500_000], ['easting', 450_000, 500_000],
    // … and with decimals that are all zero
    ['Customer ID', 12346, 18287, 0.4, 'number'], ['store_id', 1, 45, 0.04, 'number'], ['zip', 501, 99_950, 0.5, 'number'],
    // German
    ['Kundennummer', 10_000, 90_000], ['KundenNr', 10_000, 90_000], ['Kundennr.', 10_000, 90_000], ['Kunden-Nr', 10_000, 90_000], ['PLZ', 1067, 99_998], ['Postleitzahl', 1067, 99_998], ['Straße Nr', 1, 200], ['Hausnummer', 1, 200], ['Hausnr', 1, 200], ['Rechnungsnummer', 1000, 9000], ['Artikelnummer', 10, 999], ['Auftrags-Nr.', 10, 999], ['Durchwahl', 10, 999], ['Telefon', 3e8, 9e9], ['Kontonummer', 1e6, 9e9], ['Gemeindekennziffer', 1001, 16_077], ['Gemeindeschlüssel', 1_001_000, 16_077_056], ['Lfd. Nr.', 1, 1000], ['BLZ', 1e7, 9e7],
    // French, Spanish, Portuguese, Italian, Dutch
    ['Code postal', 1000, 98_890], ['code_insee', 1001, 97_600], ['N° client', 10, 999], ['Numéro de client', 10, 999], ['Numéro', 10, 999], ['Identifiant', 10, 999], ['Téléphone', 1e8, 9e8], ['Matricule', 10, 999], ['SIRET', 3e13, 9e13],
    ['Código postal', 1001, 52_006], ['Código', 10, 999], ['Número de cliente', 10, 999], ['codigo_producto', 10, 999], ['Teléfono', 6e8, 9e8], ['DNI', 1e6, 9e7], ['CEP', 1_000_000, 99_999_999], ['Codice cliente', 10, 999], ['Telefoonnummer', 6e8, 9e8], ['Klantnummer', 10, 999], ['Postcode', 1000, 9999],
    // Chinese, Japanese
    ['编号', 1, 900], ['客户编号', 10_001, 19_999], ['邮编', 100_000, 860_000], ['邮政编码', 100_000, 860_000], ['订单号码', 10_001, 19_999], ['电话', 1e10, 2e10], ['手机号', 1e10, 2e10], ['产品代码', 100, 900], ['序号', 1, 900], ['学号', 20_200_001, 20_240_999], ['郵便番号', 10_001, 999_999], ['電話番号', 1e9, 9e9], ['商品コード', 100, 900], ['客户编号(新)', 10_001, 19_999],
  ],
  category: [
    ['year', 2012, 2015, 0.004], ['fiscal_year', 2008, 2023, 0.016], ['FiscalYear', 2008, 2023, 0.016], ['FY', 19, 24, 0.006], ['fiscal year', 2008, 2023, 0.016, 'number'], ['yearID', 1871, 2022, 0.15], ['year_id', 1871, 2022, 0.15], ['Yr', 1990, 2022], ['year_built', 1700, 2022, 0.3], ['YearOfBirth', 1920, 2010], ['model_year', 1970, 2024, 0.05], ['founded', 1900, 2020, 0.09], ['sales_year', 2010, 2024, 0.015],
    ['Jahr', 1800, 2022, 0.2], ['Baujahr', 1800, 2022, 0.2], ['Geschäftsjahr', 2001, 2022], ['Année', 1800, 2022, 0.2], ['Exercice', 2001, 2022], ['Año', 1800, 2022, 0.2], ['ejercicio', 2001, 2022], ['Anno', 1800, 2022, 0.2], ['年份', 1800, 2022, 0.2], ['年度', 2001, 2022], ['入学年份', 1950, 2022],
    ['month', 1, 12, 0.012], ['month_num', 1, 12, 0.012], ['order month', 1, 12, 0.012], ['sales_month', 1, 12, 0.012], ['month', 202_001, 202_412, 0.06], ['Monat', 1, 12, 0.012], ['mois', 1, 12, 0.012], ['月份', 1, 12, 0.012], ['quarter', 1, 4, 0.004], ['季度', 1, 4, 0.004], ['week_number', 1, 53, 0.053], ['Kalenderwoche', 1, 53, 0.053], ['KW', 1, 53, 0.053], ['day_of_week', 0, 6, 0.007], ['day of year', 1, 366, 0.3], ['hour', 0, 23, 0.024], ['Stunde', 0, 23, 0.024], ['小时', 0, 23, 0.024], ['minute', 0, 59, 0.06],
    ['DepTime', 1, 2400, 0.9], ['dep_time', 1, 2359, 0.9], ['CRSArrTime', 5, 2359, 0.9], ['Uhrzeit', 0, 2359, 0.9],
    ['direction_id', 0, 1, 0.002], ['status', 200, 500, 0.008], ['error_code', 1, 900, 0.03], ['route_type', 0, 7, 0.005], ['Cancelled', 0, 1, 0.002], ['passenger class', 1, 3, 0.003], ['district', 1, 25, 0.025],
  ],
  latitude: [
    ['lat', -90, 90, 0.9, 'number'], ['stop_lat', 40.1, 40.9, 0.9, 'number'], ['Latitude', 24, 46, 0.9, 'number'], ['latitude_deg', -80, 82, 0.9, 'number'], ['start_lat', 40.1, 40.9, 0.9, 'number'], ['pickup_latitude', 40.1, 40.9, 0.9, 'number'], ['StopLat', 40.1, 40.9, 0.9, 'number'], ['decimalLatitude', -80, 82, 0.9, 'number'], ['Breitengrad', 47, 55, 0.9, 'number'], ['latitud', 20, 30, 0.9, 'number'], ['纬度', 20, 50, 0.9, 'number'], ['lat', 40, 42, 0.003],
  ],
  longitude: [
    ['lon', -180, 180, 0.9, 'number'], ['lng', -123, -72, 0.9, 'number'], ['long', -123, -72, 0.9, 'number'], ['stop_lon', -74, -73, 0.9, 'number'], ['end_lng', -74, -73, 0.9, 'number'], ['longitude_deg', -180, 180, 0.9, 'number'], ['Längengrad', 6, 15, 0.9, 'number'], ['geo_long', 6, 15, 0.9, 'number'], ['longitud', -80, -70, 0.9, 'number'], ['经度', 80, 130, 0.9, 'number'],
  ],
  amount: [
    ['revenue', 0, 9000, 0.9, 'number'], ['revenues', 0, 9000, 0.9, 'number'], ['Total Revenues', 0, 9000, 0.9, 'number'], ['netrevenue', 0, 9000, 0.9, 'number'], ['net_sales', 0, 9000, 0.9, 'number'], ['totalsales', 0, 9000, 0.9, 'number'], ['Quantity', 1, 100], ['quantities', 1, 100], ['qty', 1, 100], ['order_qty', 1, 100], ['Total', 0, 25, 0.3, 'number'], ['totals', 0, 90_000], ['costs', 1, 900], ['shipping cost', 1, 900], ['profits', -10, 900], ['votes', 0, 9000], ['bytes', 0, 90_000], ['headcount', 0, 900], ['population', 1000, 9e6], ['7 day total', 0, 9000], ['attendance', 100, 9000],
    ['Umsatz', 0, 9000, 0.9, 'number'], ['Gesamtumsatz', 0, 9000, 0.9, 'number'], ['Umsätze', 0, 9000, 0.9, 'number'], ['Umsatzerlöse', 0, 9000, 0.9, 'number'], ['Anzahl', 1, 900], ['Bestellmenge', 1, 900], ['Rechnungsbetrag', 1, 900], ['Personalkosten', 1, 900], ['Montant', 1, 900], ['Quantité', 1, 900], ['Ventes', 1, 900], ['Chiffre d’affaires', 1, 900], ['Importe', 1, 900], ['Cantidad', 1, 900], ['ingresos', 1, 900], ['Receita', 1, 900], ['fatturato', 1, 900], ['omzet', 1, 900], ['金额', 1, 900], ['销售额(元)', 1, 900], ['数量', 1, 900], ['売上', 1, 900],
  ],
  level: [
    ['7DAY AVG', 0, 900], ['7DAY AVG', 3, 6, 0.004], ['7-day average', 0, 900], ['30 day moving avg', 0, 900, 0.9, 'number'], ['days_to_ship', 1, 40], ['hours', 1, 80], ['YearsExperience', 0, 40], ['unit_price', 1, 263, 0.3, 'number'], ['unit cost', 1, 263, 0.3, 'number'], ['prices', 1, 263, 0.3, 'number'], ['cost per unit', 1, 263, 0.3, 'number'], ['Temperature', -2, 43, 0.3, 'number'], ['arr_delay', -60, 1000], ['air_time', 20, 690], ['ActualElapsedTime', 22, 605], ['response_time', 5, 1900], ['discount', 0, 40], ['grid', 1, 900], ['humid', 1, 900], ['amount paid per day', 1, 900], ['heat index', 60, 120], ['num_rooms', 1, 12], ['HR', 0, 73], ['kw', 0, 900], ['latency', 5, 900], ['plating', 5, 900], ['stop_latency', 5, 900],
    ['Preis', 1, 263, 0.3, 'number'], ['Stückpreis', 1, 263, 0.3, 'number'], ['Durchschnittsalter', 20, 60], ['Marktanteil', 0, 1, 0.3, 'number'], ['Temperatur', -2, 43, 0.3, 'number'], ['prix', 1, 263, 0.3, 'number'], ['taux', 0, 1, 0.3, 'number'], ['Número de clientes', 5, 900], ['precio', 1, 263, 0.3, 'number'], ['promedio', 1, 263, 0.3, 'number'], ['单价', 1, 263, 0.3, 'number'], ['年龄', 18, 90], ['平均', 1, 263, 0.3, 'number'], ['转化率', 0, 1, 0.3, 'number'],
  ],
};

const profile = ([name, min, max, distinctShare = 0.1, type = 'integer']: Case): ColumnProfile => ({ name, type, nulls: 0, empties: 0, distinct: Math.round(rows * distinctShare), isDistinctExact: true, min, max, low: min, high: max, top: [] });

describe.each(Object.entries(cases))('a column is guessed to be: %s', (meaning, columns) => {
  test.each(columns.map(one => ({ name: one[0], min: one[1], max: one[2], one })))('“$name” of $min to $max', ({ one }) => {
    expect(meaningOf(profile(one), rows)).toBe(meaning);
  });
});

test('names are split into words as they are written', () => {
  expect(['CustomerID', 'ID_Kunde', 'yearID', '7DAY AVG', 'N° Client', 'Customer #', 'Straße Nr.', 'XMLHttpRequest', '郵便番号'].map(wordsOf)).toEqual(['customer id', 'id kunde', 'year id', '7 day avg', 'numero client', 'customer no', 'strasse nr', 'xml http request', '郵便番号']);
});

test('a time of day has no 75th minute; what takes 75 minutes is a duration', () => {
  const column = profile(['time', 0, 2359, 0.4]);
  expect(meaningOf({ ...column, top: ['930', '1745'].map(value => ({ value, rows: 9 })) }, rows)).toBe('category');
  expect(meaningOf({ ...column, top: ['930', '1775'].map(value => ({ value, rows: 9 })) }, rows)).toBe('level');
});
